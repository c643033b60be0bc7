import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { v5 as uuidv5 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { previewOf, shownLogs } from '../../shared/domain/transcript.ts';
import type { Log } from '../../shared/schemas/log.ts';

const sessionId = '019aa2c4-0000-7000-8000-000000000000';

const sentBy = (vendor: string): object[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../data/transcripts', `${vendor}.json`), 'utf8')).transcript;

/** A vendor's transcript as logs, without what every log has: the id, the index and the item. */
const read = (vendor: string, startedAt: string | null = null) =>
  shownLogs(sessionId, sentBy(vendor), startedAt).map(({ id, index, raw, ...log }) => log);

/** What a log shows of a message; the rest is null. */
const message = (role: Log['role'], content: string | null, rest: Partial<Log> = {}) => ({
  ...{ type: 'message', role, content, timestamp: null, offset_seconds: null, interrupted: null },
  ...{ name: null, call_id: null, arguments: null, output: null, is_error: null },
  ...rest,
});

describe('the transcript of', () => {
  test('LiveKit Agents: parts, calls, interruptions, hand-overs, and Unix seconds', () => {
    const at = (time: string, seconds: number) => ({ timestamp: `2025-11-21T07:${time}Z`, offset_seconds: seconds });
    const day = { name: 'find_slots', call_id: 'call_Qm2xT9' };
    expect(read('livekit', '2025-11-21T07:00:00Z')).toEqual([
      message('assistant', "Hello! I'm here to help you. How can I assist you today?", {
        ...at('00:02.113', 2.113),
        interrupted: false,
      }),
      message('user', "Hi, uh, I'd like to move my appointment from Tuesday to, um, Thursday afternoon.", {
        ...at('00:09.870', 9.87),
        interrupted: false,
      }),
      message('assistant', null, {
        ...{ ...day, ...at('00:11.020', 11.02), type: 'function_call' },
        arguments: '{"day":"thursday","part":"afternoon"}',
      }),
      message('tool', null, {
        ...{ ...day, ...at('00:11.640', 11.64), type: 'function_call_output' },
        ...{ output: '["14:00","15:30"]', is_error: false },
      }),
      message('assistant', "I have two o'clock or half past three on Thursday. Which\nwould you prefer?", {
        ...at('00:13.400', 13.4),
        interrupted: true,
      }),
      message('user', 'Half past three.', { ...at('00:16.902', 16.902), interrupted: false }),
      message('other', null, { ...at('00:17.000', 17), type: 'event', name: 'agent_handoff' }),
      message('assistant', '', { ...at('01:16.400', 76.4), interrupted: true }),
    ]);
  });

  test('Retell: seconds from the start, in the first word of an utterance', () => {
    expect(read('retell', '2026-11-21T07:00:00.000Z')).toEqual([
      message('assistant', 'Thanks for calling Harbor Dental, this is June.', {
        ...{ timestamp: '2026-11-21T07:00:00.720Z', offset_seconds: 0.72 },
      }),
      message('user', '¿Habla español?', { timestamp: '2026-11-21T07:00:03.400Z', offset_seconds: 3.4 }),
      message('assistant', 'Sí, claro. ¿En qué puedo ayudarle?'),
    ]);
  });

  test('Vapi: roles of calls, Unix milliseconds and seconds from the start', () => {
    const at = (time: string, seconds: number) => ({ timestamp: `2025-11-21T07:00:${time}Z`, offset_seconds: seconds });
    const hours = { name: 'opening_hours', call_id: 'call_1' };
    expect(read('vapi')).toEqual([
      message('system', 'You are a concise scheduling assistant.', at('02.113', 0)),
      message('assistant', 'Good morning, how may I help?', at('03.113', 1)),
      message('user', 'Is the clinic open on Sunday?', at('07.400', 5.3)),
      message('assistant', '', {
        ...{ ...hours, ...at('09.100', 7), type: 'function_call', arguments: '{"day":"sunday"}' },
      }),
      message('tool', null, { ...hours, ...at('09.600', 7.5), type: 'function_call_output', output: 'closed' }),
      message('assistant', 'We are closed on Sundays.', at('10.200', 8.1)),
    ]);
  });

  test('ElevenLabs: seconds from the start, and turns that only call a tool', () => {
    expect(read('elevenlabs')).toEqual([
      message('assistant', 'Hallo, hier ist die Buchhaltung.', { offset_seconds: 0 }),
      message('user', 'Guten Tag, ich habe eine Frage zu meiner Rechnung Nr. 4711.', { offset_seconds: 3 }),
      message('assistant', null, {
        ...{ type: 'function_call', name: 'lookup_invoice', call_id: 'r1', arguments: '{"number":4711}' },
        offset_seconds: 6,
      }),
      message('assistant', 'Die Rechnung ist bezahlt.', { offset_seconds: 9 }),
    ]);
  });

  test('a worker of one’s own: capitals, zones, and items that say little', () => {
    expect(read('plain')).toEqual([
      message('assistant', 'Hello', { timestamp: '2026-11-21T07:00:02.000Z' }),
      message('user', 'こんにちは、予約をお願いします。', { timestamp: '2026-11-20T22:00:05.250Z' }),
      message('other', 'no speaker at all'),
      message('assistant', 'かしこまりました 👍🏽'),
    ]);
  });
});

describe('a log', () => {
  test('keeps its item as sent, and its id on every read', () => {
    const items = sentBy('livekit');
    const logs = shownLogs(sessionId, items, null);
    expect(logs.map(({ raw }) => raw)).toEqual(items);
    expect(logs.map(({ id, index }) => [id, index])).toEqual(items.map((_, i) => [uuidv5(String(i), sessionId), i]));
    expect(shownLogs(sessionId, items, '2026-11-21T07:00:00Z').map(({ id }) => id)).toEqual(logs.map(({ id }) => id));
    expect(shownLogs(sessionId.replace('a', 'b'), items, null)[0]?.id).not.toBe(logs[0]?.id);
  });
});

describe('a preview', () => {
  const logs = (...items: object[]) => shownLogs(sessionId, items, null);

  test('is the first message that says something, in one line', () => {
    const silent = [
      { role: 'system', text: 'Be brief.' },
      { role: 'agent', text: ' ' },
      { type: 'note', text: 'x' },
    ];
    expect(previewOf(logs(...silent, { role: 'tool', content: '{}' }, { text: '\n Hello,\t\n you ' }))).toBe(
      'Hello, you',
    );
    expect(previewOf(logs(...silent))).toBeNull();
    expect(previewOf([])).toBeNull();
  });

  test("prefers the caller's first words to what was said before them", () => {
    const greeting = { role: 'assistant', content: 'Hello, how can I help you?' };
    expect(
      previewOf(logs(greeting, { role: 'user', content: ' ' }, { role: 'user', content: 'A table for two' })),
    ).toBe('A table for two');
    expect(previewOf(logs(greeting, { role: 'other', content: 'Beep' }))).toBe('Hello, how can I help you?');
  });

  test('has at most 140 characters, none of them cut in two', () => {
    expect(previewOf(logs({ text: '👍'.repeat(200) }))).toBe('👍'.repeat(140));
    expect(previewOf(logs({ text: `a${'👍'.repeat(139)}` }))).toBe(`a${'👍'.repeat(139)}`);
    expect(previewOf(logs({ text: `${'a'.repeat(139)} b` }))).toBe('a'.repeat(139));
  });
});
