import { randomUUID } from 'node:crypto';
import type autocannon from 'autocannon';
import { buildTurns } from '../corpus.ts';

/** Credentials and resources that the requests use. */
export interface World {
  /** Token of the user. */
  token: string;
  /** API key of the worker. */
  key: string;
  assistants: string[];
}

const turns = buildTurns(30).map((content, i) => ({ role: i % 2 ? 'user' : 'assistant', content }));

const toJsonHeaders = (authorization: string) => ({
  authorization: `Bearer ${authorization}`,
  'content-type': 'application/json',
});

/** Creates assistants with their vendors' keys, and an API key for the worker. */
export async function createFixtures(url: string, token: string): Promise<World> {
  const create = async (path: string, body: object) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: toJsonHeaders(token),
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string; data: { secret: string } };
  };
  const parts = {
    llm: { llm_provider: 'openai' },
    voice: { tts_provider: 'elevenlabs' },
    transcriber: { stt_provider: 'deepgram' },
  };
  for (const service_type of Object.values(parts).flatMap(Object.values)) {
    await create('/user-credentials', { service_type, name: 'main', api_key: `sk-${randomUUID()}` });
  }
  const assistants: string[] = [];
  for (let number = 0; number < 20; number++) {
    const fields = {
      name: `Receptionist ${number}`,
      system_instruction: 'You answer the phone. '.repeat(90),
      ...parts,
    };
    assistants.push((await create('/assistants', fields)).id);
  }
  const scopes = ['runtime', 'logs'];
  const { data } = await create('/api-keys', { name: 'Load', scopes });
  return { token, key: data.secret, assistants };
}

/** Builds 100 requests of a typical mix: 70 reads of a worker's configuration, 15 call logs, 10 lists, 5 edits. */
export function buildRequests({ token, key, assistants }: World): autocannon.Request[] {
  const pickAssistant = () => assistants[Math.floor(Math.random() * assistants.length)] ?? '';
  const read = (): autocannon.Request => ({
    method: 'GET',
    path: `/assistants/${pickAssistant()}/runtime-config`,
    headers: toJsonHeaders(key),
  });
  const log = (): autocannon.Request => ({
    method: 'POST',
    path: '/logs/call-logs',
    headers: toJsonHeaders(key),
    // Each request saves another call, because a call that is sent twice is stored once.
    setupRequest: (request) => ({
      ...request,
      body: JSON.stringify({
        assistant_id: pickAssistant(),
        room_name: randomUUID(),
        transcript: turns,
        session_duration: 90,
      }),
    }),
  });
  const lists = ['/assistants?limit=20', '/logs/chat-sessions?limit=20'];
  const list = (_: unknown, i: number): autocannon.Request => ({
    method: 'GET',
    path: lists[i % 2] ?? '',
    headers: toJsonHeaders(token),
  });
  const edit = (): autocannon.Request => ({
    method: 'PUT',
    path: `/assistants/${pickAssistant()}`,
    headers: toJsonHeaders(token),
    body: JSON.stringify({ first_message: `Hello, it is ${new Date().toISOString()}` }),
  });
  const all = [
    ...Array.from({ length: 70 }, read),
    ...Array.from({ length: 15 }, log),
    ...Array.from({ length: 10 }, list),
    ...Array.from({ length: 5 }, edit),
  ];
  return all
    .map((request) => ({ request, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ request }) => request);
}
