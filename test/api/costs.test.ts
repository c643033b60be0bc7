import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type MeasuredRequest,
  readMeasurements,
  toUnits,
  writeMeasurements,
} from '../../infra/commands/cost/measured.ts';
import { routes } from '../../shared/routes/index.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { createUser, deployed, type Reply } from '../support/api.ts';
import { createKey, createWorker } from '../support/api-keys.ts';
import { createEverything } from '../support/create-everything.ts';
import { readLog } from '../support/function-log.ts';
import { upload, waitUntilParsed } from '../support/knowledge-bases.ts';
import { startReceiver } from '../support/receiver.ts';
import { callRoute } from '../support/tenancy.ts';
import { eventually } from '../support/timeouts.ts';
import { answerModel } from '../support/vendor.ts';

interface Created {
  data: { id: string };
}

/** Assistant of about 2 KB, the size of a careful prompt. */
const typical = { name: 'Receptionist', system_instruction: 'You answer the phone of a dental clinic. '.repeat(30) };

/** Reads the measurements of a request from its function's log. */
async function measureReply(what: string, reply: Reply): Promise<MeasuredRequest> {
  const { line, bytes } = await readLog(reply);
  const { route, round_trips, read_units, write_units } = line;
  const { key_requests = 0, files_stored = 0, files_read = 0 } = line;
  const units = { round_trips, read_units, write_units, key_requests, files_stored, files_read };
  return { route, case: what, ...units, answer_bytes: Buffer.byteLength(reply.text), log_bytes: bytes };
}

/**
 * Measures a request that a function answers from what it remembers. Sends it several times and keeps the cheapest, since other tests start
 * functions that have not seen it.
 */
async function measureRemembered<T>(what: string, ask: () => Promise<Reply<T>>): Promise<MeasuredRequest> {
  const tries: MeasuredRequest[] = [];
  for (let i = 0; i < 4; i++) tries.push(await measureReply(what, await ask()));
  const [cheapest] = tries.toSorted((one, other) => one.round_trips - other.round_trips);
  if (!cheapest) throw new Error('Nothing was measured');
  return cheapest;
}

/** Measures every kind of request with a different cost, as a new user. */
async function measureAll(): Promise<MeasuredRequest[]> {
  const user = await createUser();
  const measured: MeasuredRequest[] = [];
  const measure = async <T>(what: string, reply: Reply<T>) => {
    measured.push(await measureReply(what, reply));
    return reply;
  };
  const create = (headers?: Record<string, string>) => user.post<Assistant>('/assistants', typical, headers);
  const key = { 'idempotency-key': randomUUID() };

  await measure('with a JWT', await user.get('/protected'));
  const worker = await createWorker(user, ['runtime']);
  await measure('with an API key, its first use in this hour', await worker.get('/protected'));
  measured.push(await measureRemembered('with an API key seen within a minute', () => worker.get('/protected')));
  const { body, headers } = await measure('2 KB', await create());
  const path = `/assistants/${body.id}`;
  await measure('2 KB, with an `Idempotency-Key`', await create(key));
  await measure('the same again: the answer is replayed', await create(key));
  await measure('2 KB', await user.get(path));
  await measure('not changed since (304)', await user.get(path, { 'if-none-match': headers.get('etag') ?? '' }));
  await measure('2 KB', await user.get(`${path}/language-config`));
  await measure('one field of 2 KB', await user.put(path, { name: 'Reception' }));
  await measure('nothing new', await user.put(path, { name: 'Reception' }));
  await measure('2 KB', await user.delete(path));
  for (let i = 0; i < 49; i++) await create();
  await measure('50 of 2 KB', await user.get('/assistants'));
  await measure('a page of 20 of 2 KB', await user.get('/assistants?limit=20'));

  const save = (fields: object) =>
    user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-0123456789', ...fields });
  await measure('new, KMS included', await save({ name: 'a' }));
  await measure('without a name', await save({}));
  await save({ name: 'b' });
  await measure('two', await user.get('/user-credentials'));
  await measure('by name', await user.delete('/user-credentials/openai?name=a'));

  const runtime = `${(await create()).headers.get('location')?.replace(/^\/dev/, '')}/runtime-config`;
  for (const service_type of ['cartesia', 'openai', 'deepgram']) await save({ service_type });
  await worker.get(runtime); // records the use of the key
  measured.push(await measureRemembered('three credentials', () => worker.get(runtime)));
  const read = await worker.get(runtime);
  const known = { 'if-none-match': read.headers.get('etag') ?? '' };
  measured.push(await measureRemembered('not changed since (304)', () => worker.get(runtime, known)));
  await measure('new', await createKey(user, ['logs']));
  await measure('two', await user.get('/api-keys'));
  const { body: old } = await createKey(user, ['logs']);
  await measure('with a grace', await user.post('/api-keys/rotate', { id: old.data.id }));
  await measure('one', await user.delete(`/api-keys/${old.data.id}`));

  const turns = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      id: `item_${i}`,
      role: i % 2 ? 'user' : 'assistant',
      content: [
        `I would like to move my appointment, please: ${createHash('sha256').update(`${i}`).digest('base64')}.`,
      ],
      created_at: 1_763_708_402.113 + i * 4.2,
    }));
  const { body: assistant } = await create();
  const log = (count: number) => ({
    assistant_id: assistant.id,
    room_name: `room ${count}`,
    transcript: turns(count),
  });
  const post = (count: number) => user.post<{ data: { id: string } }>('/logs/call-logs', log(count));
  const { body: short } = await measure('20 turns', await post(20));
  const { body: long } = await measure('150 turns, in S3', await post(150));
  await measure('150 turns again', await post(150));
  await measure('20 turns', await user.get(`/logs/chat-logs/${short.data.id}`));
  await measure('150 turns, from S3', await user.get(`/logs/chat-logs/${long.data.id}`));
  for (let i = 0; i < 20; i++) await user.post('/logs/call-logs', { ...log(0), room_name: 'page' });
  await measure('a page of 20', await user.get('/logs/chat-sessions?limit=20'));
  await measure('a page of 20 of a room', await user.get('/logs/chat-sessions?limit=20&room_name=page'));
  await measure('two, with their logs', await user.get(`/logs/chat-logs?limit=2`));
  await measure('20 of 22', await user.get('/chat?limit=20'));
  await measure('150 turns', await user.delete(`/logs/chat-logs/${long.data.id}`));
  await measure('a page of 20', await user.get('/logs/audit?limit=20'));
  await measure('a page of 20', await user.get('/events?limit=20&settled=false'));

  const hook = { url: 'https://webhooks.invalid/costs', events: ['call.*'] };
  const { body: webhook } = await measure('with a secret that is made', await user.post<Created>('/webhooks', hook));
  const hookPath = `/webhooks/${webhook.data.id}`;
  await measure('one', await user.get('/webhooks'));
  await measure('one', await user.get(hookPath));
  await measure('its types', await user.put(hookPath, { events: ['call.completed'] }));
  await measure('with a grace', await user.post(`${hookPath}/secret`, {}));
  const { body: test } = await measure('one', await user.post<{ data: { event_id: string } }>(`${hookPath}/test`, {}));
  await eventually(async () => expect((await user.get(`${hookPath}/deliveries`)).text).toContain('ENOTFOUND'));
  await measure('one', await user.get(`${hookPath}/deliveries`));
  await measure('one', await user.post(`${hookPath}/deliveries/${test.data.event_id}`, {}));
  await measure('the last minute', await user.post(`${hookPath}/replay`, { from: new Date().toISOString() }));
  await measure('one', await user.delete(hookPath));

  const document = (characters = 1_000) => 'The clinic opens at eight. '.repeat(50).slice(0, characters);
  const uploads = '/assistants/knowledge-base';
  const first = await measure('1 KB of text', await upload(user, document()));
  const announced = { file_name: 'large.pdf', content_type: 'application/pdf', size_bytes: 5_000_000 };
  await measure('a form for 5 MB', await user.post(`${uploads}/uploads`, announced));
  const { id } = await waitUntilParsed(user, first.body.data.id);
  await measure('one', await user.get(`${uploads}/${id}`));
  const more: string[] = [];
  for (let i = 0; i < 19; i++) more.push((await upload(user, document())).body.data.id);
  await measure('a page of 20', await user.get(`${uploads}?limit=20`));
  const { body: clinic } = await create();
  const attachment = (one: string) => `/assistants/${clinic.id}/knowledge-bases/${one}`;
  await measure('new', await user.put(attachment(id), undefined));
  await measure('again', await user.put(attachment(id), undefined));
  const search = () => user.post(`/assistants/${clinic.id}/search`, { query: 'When do you open?' });
  await measure('one attached, its first time', await search());
  measured.push(await measureRemembered('one attached, again', search));
  const searchOnly = (fields: object) => user.post('/search/only', { query: 'When do you open?', ...fields });
  await measure('a named one, its first time', await searchOnly({ knowledge_base_ids: [id] }));
  measured.push(await measureRemembered('a named one, again', () => searchOnly({ knowledge_base_ids: [id] })));
  for (const one of more) await waitUntilParsed(user, one);
  await searchOnly({});
  measured.push(await measureRemembered('the newest, all 20, again', () => searchOnly({})));
  const other = await measure(
    '1 KB of text',
    await upload(user, document(), 'more.txt', { path: `/assistants/${clinic.id}/knowledge-base` }),
  );
  await waitUntilParsed(user, other.body.data.id);
  await measure('2 KB, two attached', await user.get(`/assistants/${clinic.id}`));
  await measure('a page of 20 of 2 KB, one with two attached', await user.get('/assistants?limit=20'));
  await measure('one of two', await user.delete(attachment(id)));
  await measure('attached to one, forced', await user.delete(`${uploads}/${other.body.data.id}?force=true`));
  await user.put(attachment(id), undefined);
  await measure('2 KB, one attached', await user.delete(`/assistants/${clinic.id}`));
  await measure('attached to nothing', await user.delete(`${uploads}/${id}`));
  measured.push(...(await measureChats()));
  return [...measured, ...(await measureOthers(new Set(measured.map(({ route }) => route))))];
}

/** Measures answers of a scripted vendor, as a new user. */
async function measureChats(): Promise<MeasuredRequest[]> {
  const user = await createUser();
  const vendor = await startReceiver(answerModel({ text: 'We open at eight.' }));
  const base_url = new URL('/v1', vendor.url).href;
  await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-0123456789' });
  const { body: assistant } = await user.post<Assistant>('/assistants', { ...typical, llm: { base_url } });
  const question = { role: 'user', content: 'When do you open?' };
  const turns = [question, { role: 'assistant', content: 'We open at eight.' }, question];
  const conversation = { model: assistant.id, session_id: randomUUID() };
  const ask = async (what: string, body: object) =>
    measureReply(what, await user.post('/chat/completions', { messages: [question], ...body }));
  const measured = [
    await ask('not stored', { model: assistant.id }),
    await ask('stored', conversation),
    await ask('stored, a second turn', { ...conversation, messages: turns }),
  ];
  const livekit = { url: 'wss://livekit.invalid', api_key: 'APIkey', api_secret: 'secret' };
  await user.post('/user-credentials', { service_type: 'livekit', api_key: JSON.stringify(livekit) });
  measured.push(await measureReply('one', await user.post(`/assistants/${assistant.id}/web-calls`, {})));
  const { id } = await waitUntilParsed(user, (await upload(user, 'The clinic opens at eight.')).body.data.id);
  await user.put(`/assistants/${assistant.id}/knowledge-bases/${id}`, undefined);
  const search = { assistant_id: assistant.id, query: 'When do you open?' };
  measured.push(await measureRemembered('one attached, again', () => user.post('/search', search)));
  vendor.stop();
  return measured;
}

/** Measures the sample request of each route that was not measured. */
async function measureOthers(known: ReadonlySet<string>): Promise<MeasuredRequest[]> {
  const others = routes.filter(({ id }) => !known.has(id));
  if (others.length === 0) return [];
  const user = await createUser();
  const everything = await createEverything(user);
  const measured: MeasuredRequest[] = [];
  for (const route of others) {
    const names = Object.entries(everything).filter(([name]) => route.path.includes(`{${name}}`));
    measured.push(await measureReply('one', await callRoute(user, route, Object.fromEntries(names))));
  }
  return measured;
}

describe.skipIf(deployed)('what a request costs', () => {
  it('matches the measurements behind docs/costs.md', async () => {
    // Set by npm run cost -- --measure. The first two runs start the functions.
    if (process.env.MEASURE) {
      for (let i = 0; i < 2; i++) await measureAll();
      writeMeasurements(await measureAll());
    }
    expect((await measureAll()).map(toUnits)).toEqual(readMeasurements().map(toUnits));
  });
});
