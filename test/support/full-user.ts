import { randomBytes, randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { inject } from 'vitest';
import { runInParallel } from '../../infra/commands/data/in-parallel.ts';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import { findCallIdentity, toNewCall } from '../../shared/domain/session.ts';
import type { IssuedApiKey } from '../../shared/schemas/api-key.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { Job } from '../../shared/schemas/job.ts';
import { toUserKey } from '../../shared/store/table/keys.ts';
import { type Client, createUser } from './api.ts';
import { minimal } from './assistants.ts';
import { buildForm, postForm, waitUntilParsed } from './knowledge-bases.ts';
import { useEmulator } from './store.ts';
import { eventually } from './timeouts.ts';

useEmulator();
const { save } = await import('../../shared/store/sessions/sessions.ts');

const day = 86_400_000;

const prices = { currency: 'USD', entries: {}, updated_at: null };

/** Saves `count` calls over a year. The first `long` ones have transcripts so long that the service stores them as files. */
async function saveCalls(owner: string, assistant_id: string, count: number, long: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, i) => i);
  await runInParallel(numbers, 10, async (i) => {
    const newId = uuidv7({ msecs: Date.now() - (i % 365) * day });
    const turn = () => ({ id: randomUUID(), role: 'user', content: randomBytes(40).toString('hex') });
    const log = {
      assistant_id,
      room_name: `room ${i % 7}`,
      started_at: new Date(Date.now() - i * 1_000).toISOString(),
      transcript: Array.from({ length: i < long ? 100 : 2 }, turn),
    };
    // A busy machine may take longer than the store waits.
    const call: Parameters<typeof save>[1] = {
      identity: findCallIdentity(log),
      items: log.transcript,
      newId,
      savedAt: new Date().toISOString(),
      toCall: (session_id, { created_at }) =>
        toNewCall(log, prices, { session_id, assistant_name: 'Receptionist', created_at }),
      buildExtraWrites: () => [],
    };
    await eventually(() => save(owner, call));
  });
}

/** Runs a job of one request, for an assistant that does not exist. */
async function runJob(client: Client): Promise<void> {
  const request = { custom_id: 'one', body: { model: randomUUID(), messages: [{ role: 'user', content: 'Hello' }] } };
  const { body } = await client.post<{ data: Job }>('/batch/chat/completions', { requests: [request] });
  await eventually(async () => {
    const { body: read } = await client.get<{ data: Job }>(`/batch/status/${body.data.job_id}`);
    if (read.data.status !== 'done') throw new Error('The job is not done');
  });
}

export interface FullUser {
  client: Client;
  user: string;
  owner: string;
  apiKey: string;
}

/** Creates a user with several of every resource through the API, and an API key with all scopes. */
export async function createFullUser({ sessions, long }: { sessions: number; long: number }): Promise<FullUser> {
  const client = await createUser();
  const { url } = await LocalIssuer.open(inject('dataDir'));
  const owner = toUserKey(url, client.sub);
  const create = async (fields: object) =>
    (await client.post<Assistant>('/assistants', { ...minimal, ...fields }, { 'idempotency-key': randomUUID() })).body;
  const one = await create({
    description: 'ä 😀 \u2028'.repeat(50),
    llm: { temperature: 1e-7, numbers: [9007199254740991] },
  });
  const two = await create({ name: 'B', transport: { B: 'b', BS: ['c'], S: { N: '1' } } });
  const gone = await create({ name: 'Gone' });
  await client.delete(`/assistants/${gone.id}`);
  for (const [id, content] of [
    [one.id, 'The archive opens at nine.'],
    [two.id, 'It closes at five.'],
  ] as const) {
    const path = `/assistants/${id}/knowledge-base`;
    const { body } = await postForm<{ data: { id: string } }>(client, path, buildForm(content));
    await waitUntilParsed(client, body.data.id);
    await client.put(`/assistants/${one.id}/knowledge-bases/${body.data.id}`, undefined);
  }
  for (const name of ['default', 'other'])
    await client.post('/user-credentials', { service_type: 'openai', name, api_key: `sk-${randomUUID()}` });
  const { body } = await client.post<IssuedApiKey>('/api-keys', {
    name: 'Worker',
    scopes: ['read', 'write', 'logs', 'runtime'],
  });
  await client.post('/api-keys', { name: 'Idle', scopes: ['logs'] });
  await runJob(client);
  await saveCalls(owner, one.id, sessions, long);
  return { client, user: client.sub, owner, apiKey: body.data.secret ?? '' };
}
