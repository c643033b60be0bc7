import { randomUUID } from 'node:crypto';
import type autocannon from 'autocannon';
import { spoken } from '../corpus.ts';

/** What the requests are about: what `prepare` has made. */
export interface World {
  /** Of the app that people use, and of the worker. */
  token: string;
  key: string;
  assistants: string[];
}

const turns = spoken(30).map((content, i) => ({ role: i % 2 ? 'user' : 'assistant', content }));

const json = (authorization: string) => ({
  authorization: `Bearer ${authorization}`,
  'content-type': 'application/json',
});

/** Has a user make assistants with the keys of their vendors, and an API key for their worker. */
export async function prepare(url: string, token: string): Promise<World> {
  const made = async (path: string, body: object) => {
    const response = await fetch(url + path, { method: 'POST', headers: json(token), body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string; data: { secret: string } };
  };
  const vendors = { llm: 'openai', voice: 'elevenlabs', transcriber: 'deepgram' };
  for (const service_type of Object.values(vendors)) {
    await made('/user-credentials', { service_type, name: 'main', api_key: `sk-${randomUUID()}` });
  }
  const parts = Object.fromEntries(Object.entries(vendors).map(([part, provider]) => [part, { provider }]));
  const assistants: string[] = [];
  for (let number = 0; number < 20; number++) {
    const fields = {
      name: `Receptionist ${number}`,
      system_instruction: 'You answer the phone. '.repeat(90),
      ...parts,
    };
    assistants.push((await made('/assistants', fields)).id);
  }
  const scopes = ['runtime', 'logs'];
  const { data } = await made('/api-keys', { name: 'Load', scopes });
  return { token, key: data.secret, assistants };
}

/** A hundred requests as they come in a day: 70 reads of a worker's configuration, 15 call logs, 10 lists, 5 edits. */
export function mix({ token, key, assistants }: World): autocannon.Request[] {
  const any = () => assistants[Math.floor(Math.random() * assistants.length)] ?? '';
  const read = (): autocannon.Request => ({
    method: 'GET',
    path: `/assistants/${any()}/runtime-config`,
    headers: json(key),
  });
  const log = (): autocannon.Request => ({
    method: 'POST',
    path: '/logs/call-logs',
    headers: json(key),
    // Each is another call: one told twice is stored once.
    setupRequest: (request) => ({
      ...request,
      body: JSON.stringify({ assistant_id: any(), room_name: randomUUID(), transcript: turns, session_duration: 90 }),
    }),
  });
  const lists = ['/assistants?limit=20', '/logs/chat-sessions?limit=20'];
  const list = (_: unknown, i: number): autocannon.Request => ({
    method: 'GET',
    path: lists[i % 2] ?? '',
    headers: json(token),
  });
  const edit = (): autocannon.Request => ({
    method: 'PUT',
    path: `/assistants/${any()}`,
    headers: json(token),
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
