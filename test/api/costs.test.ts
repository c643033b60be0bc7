import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type MeasuredRequest,
  readMeasurements,
  toUnits,
  writeMeasurements,
} from '../../infra/commands/cost/measured.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { createUser, deployed, type Reply } from '../support/api.ts';
import { createKey, createWorker } from '../support/api-keys.ts';
import { readLog } from '../support/function-log.ts';
import { upload, waitUntilParsed } from '../support/knowledge-bases.ts';
import { eventually } from '../support/timeouts.ts';

interface Created {
  data: { id: string };
}

/** Assistant of about 2 KB, the size of a careful prompt. */
const typical = { name: 'Receptionist', system_instruction: 'You answer the phone of a dental clinic. '.repeat(30) };

/** Measures every kind of request with a different cost, as a new user. */
async function measureAll(): Promise<MeasuredRequest[]> {
  const user = await createUser();
  const measured: MeasuredRequest[] = [];
  const measure = async <T>(what: string, reply: Reply<T>) => {
    const { line, bytes } = await readLog(reply);
    const { route, round_trips, read_units, write_units } = line;
    const { key_requests = 0, files_stored = 0, files_read = 0 } = line;
    const units = { round_trips, read_units, write_units, key_requests, files_stored, files_read };
    const answer_bytes = Buffer.byteLength(reply.text);
    measured.push({ route, case: what, ...units, answer_bytes, log_bytes: bytes });
    return reply;
  };
  const create = (headers?: Record<string, string>) => user.post<Assistant>('/assistants', typical, headers);
  const key = { 'idempotency-key': randomUUID() };

  await measure('with a JWT', await user.get('/protected'));
  const worker = await createWorker(user, ['runtime']);
  await measure('with an API key, its first use in this hour', await worker.get('/protected'));
  await measure('with an API key seen within a minute', await worker.get('/protected'));
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
  const read = await measure('three credentials', await worker.get(runtime));
  const known = { 'if-none-match': read.headers.get('etag') ?? '' };
  await measure('not changed since (304)', await worker.get(runtime, known));
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
  for (let i = 0; i < 19; i++) await upload(user, document());
  await measure('a page of 20', await user.get(`${uploads}?limit=20`));
  const { body: clinic } = await create();
  const attachment = (one: string) => `/assistants/${clinic.id}/knowledge-bases/${one}`;
  await measure('new', await user.put(attachment(id), undefined));
  await measure('again', await user.put(attachment(id), undefined));
  const search = () => user.post(`/assistants/${clinic.id}/search`, { query: 'When do you open?' });
  await measure('one attached, its first time', await search());
  await measure('one attached, again', await search());
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
