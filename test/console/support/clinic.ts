import { expect } from 'vitest';
import type { Client } from '../../support/api.ts';
import { createKey } from '../../support/api-keys.ts';
import { createAssistant } from '../../support/assistants.ts';
import { upload, waitUntilParsed } from '../../support/knowledge-bases.ts';
import { test as base } from './console.ts';
import { receptionist } from './receptionist.ts';

const prices = `# Prices

A check-up costs 40 euros, with X-rays 65. Cleaning by a hygienist takes an hour and costs 95 euros.

# Opening hours

On Saturdays we open at nine and close at noon. From Monday to Friday we are there from eight to six, on Thursdays until eight.
On Sundays we are closed; the emergency service of the city answers on 116 117.

# How to reach us

Tram 9 stops at the door. There are two parking spaces behind the house, and the entrance has no steps.
`;

const buildMessage = (at: number, role: string, content: string, metrics?: object) => ({
  type: 'message',
  role,
  content: [content],
  created_at: at,
  metrics,
});

/** Transcript of a caller who books an appointment, as LiveKit writes it. */
const buildBooking = (from: number) => [
  buildMessage(from + 1, 'assistant', 'Lindenhof Dental Clinic, good morning. How can I help you?', {
    tts_node_ttfb: 0.19,
  }),
  buildMessage(from + 6, 'user', 'Good morning. Are you open on Saturday? I chipped a tooth, and it is a bit sharp.'),
  buildMessage(
    from + 8,
    'assistant',
    'I’m sorry to hear that. On Saturdays we open at nine and close at noon. Does it hurt?',
    {
      llm_node_ttft: 0.41,
      tts_node_ttfb: 0.18,
    },
  ),
  buildMessage(from + 15, 'user', 'No, it only scratches.'),
  {
    type: 'function_call',
    call_id: 'slots',
    name: 'find_slots',
    arguments: '{"day":"saturday","length_minutes":30}',
    created_at: from + 16,
  },
  {
    type: 'function_call_output',
    call_id: 'slots',
    name: 'find_slots',
    output: '["09:15","10:30"]',
    is_error: false,
    created_at: from + 16.6,
  },
  buildMessage(from + 18, 'assistant', 'Then a quarter past nine or half past ten would be free. Which suits you?', {
    llm_node_ttft: 0.38,
    tts_node_ttfb: 0.2,
  }),
  buildMessage(from + 24, 'user', 'Half past ten, please. The name is Berger.'),
  buildMessage(from + 26, 'assistant', 'Half past ten on Saturday, Ms Berger. Bring your insurance card. Until then!', {
    llm_node_ttft: 0.44,
    tts_node_ttfb: 0.17,
  }),
];

const openings = [
  'Hello, I would like to move my appointment on Tuesday.',
  'Good evening. What does a check-up cost?',
  'My son has lost a filling. Can we come today?',
  'Do you have parking spaces?',
  'I have to cancel for tomorrow, I am ill.',
];

const vendorKeys = [
  ['openai', 'sk-proj-of-the-clinic-7Qx2'],
  ['deepgram', 'dg_of_the_clinic_b81f'],
  ['cartesia', 'sk_car_of_the_clinic_9d3e'],
];

/** Builds the calls of the last month: more in the middle of a week, few at night. */
function buildCalls(desk: string, night: string): object[] {
  return Array.from({ length: 30 }, (_, daysAgo) => {
    const atDesk = [3, 4, 2, 3, 2, 1, 0][daysAgo % 7] ?? 0;
    return Array.from({ length: atDesk + (daysAgo % 3 === 0 ? 1 : 0) }, (_, index) => {
      const startedAt = Date.now() - daysAgo * 86_400_000 - (index + 1) * 2_400_000;
      return {
        assistant_id: index < atDesk ? desk : night,
        room_name: `clinic-${daysAgo}-${index}`,
        participant_name: `+49 30 5550${100 + daysAgo * 7 + index}`,
        started_at: new Date(startedAt).toISOString(),
        session_duration: 45 + ((daysAgo * 37 + index * 53) % 160),
        transcript: [buildMessage(startedAt / 1000, 'user', openings[(daysAgo + index) % openings.length] ?? '')],
      };
    });
  }).flat();
}

/** Ids of the clinic's data. */
export interface Clinic {
  desk: string;
  night: string;
  document: string;
  call: string;
}

async function logCall(user: Client, call: object): Promise<string> {
  const { status, body } = await user.post<{ data: { session_id: string } }>('/logs/call-logs', call);
  expect(status).toBe(200);
  return body.data.session_id;
}

/** Creates what a clinic has: assistants, a document that one of them uses, a call, and keys of vendors and workers. */
export async function createClinic(user: Client): Promise<Clinic> {
  const desk = (await createAssistant(user, receptionist)).body.id;
  const night = (await createAssistant(user, { ...receptionist, name: 'Night line' })).body.id;
  await user.post(`/assistants/${night}/versions`, { note: 'Goes live with the new number' });
  await user.put(`/assistants/${night}`, {
    first_message: 'Lindenhof Dental Clinic, good evening. Is it an emergency?',
  });
  await user.post(`/assistants/${night}/versions`, { note: 'Asks for emergencies first', live: false });
  const document = (await upload(user, prices, 'prices-and-hours.md')).body.data.id;
  await waitUntilParsed(user, document);
  await user.put(`/assistants/${desk}/knowledge-bases/${document}`, undefined);
  const startedAt = Date.now() - 600_000;
  const call = await logCall(user, {
    assistant_id: desk,
    room_name: 'clinic-main-4711',
    participant_name: '+49 30 5550142',
    started_at: new Date(startedAt).toISOString(),
    session_duration: 34,
    end_reason: 'caller hung up',
    transcript: buildBooking(startedAt / 1000),
  });
  for (const [service_type, api_key] of vendorKeys) await user.post('/user-credentials', { service_type, api_key });
  await createKey(user, ['runtime', 'logs'], { name: 'Worker in Frankfurt' });
  await createKey(user, ['read'], { name: 'Monthly report' });
  return { desk, night, document, call };
}

/** Adds a month of calls. */
export async function addMonthOfCalls(user: Client, { desk, night }: Clinic): Promise<void> {
  for (const call of buildCalls(desk, night)) await logCall(user, call);
}

/** Test with a user who has all of it. */
export const test = base.extend<{ clinic: Clinic }>({
  clinic: [async ({ user }, use) => use(await createClinic(user)), { scope: 'file' }],
});
