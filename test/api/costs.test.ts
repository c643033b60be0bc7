import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Measured, readMeasured, unitsOf, writeMeasured } from '../../infra/cost/measured.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { deployed, newUser, type Reply } from '../support/api.ts';
import { makeKey, workerOf } from '../support/api-keys.ts';
import { logged } from '../support/function-log.ts';
import { read as ready, upload } from '../support/knowledge-bases.ts';

/** About 2 KB, as a prompt of some care is. */
const typical = { name: 'Receptionist', system_instruction: 'You answer the phone of a dental clinic. '.repeat(30) };

/** Sends a request of every kind that is worth telling apart, as a user of its own. */
async function measureAll(): Promise<Measured[]> {
  const user = await newUser();
  const measured: Measured[] = [];
  const measure = async <T>(what: string, reply: Reply<T>) => {
    const { line, bytes } = await logged(reply);
    const { route, round_trips, read_units, write_units, duration_ms } = line;
    const { key_requests = 0, files_stored = 0, files_read = 0 } = line;
    const units = { round_trips, read_units, write_units, key_requests, files_stored, files_read };
    const answer_bytes = Buffer.byteLength(reply.text);
    const took = { duration_ms: Math.ceil(duration_ms), answer_bytes, log_bytes: bytes };
    measured.push({ route, case: what, ...units, ...took });
    return reply;
  };
  const create = (headers?: Record<string, string>) => user.post<Assistant>('/assistants', typical, headers);
  const key = { 'idempotency-key': randomUUID() };

  await measure('with a JWT', await user.get('/protected'));
  const worker = await workerOf(user, ['runtime']);
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
  await worker.get(runtime); // notes the key's use
  const read = await measure('three credentials', await worker.get(runtime));
  const known = { 'if-none-match': read.headers.get('etag') ?? '' };
  await measure('not changed since (304)', await worker.get(runtime, known));
  await measure('new', await makeKey(user, ['logs']));
  await measure('two', await user.get('/api-keys'));
  const { body: old } = await makeKey(user, ['logs']);
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

  const document = (characters = 1_000) => 'The clinic opens at eight. '.repeat(50).slice(0, characters);
  const uploads = '/assistants/knowledge-base';
  const first = await measure('1 KB of text', await upload(user, document()));
  const announced = { file_name: 'large.pdf', content_type: 'application/pdf', size_bytes: 5_000_000 };
  await measure('a form for 5 MB', await user.post(`${uploads}/uploads`, announced));
  const { id } = await ready(user, first.body.data.id);
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
  await ready(user, other.body.data.id);
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
  it('is what docs/costs.md reckons with', async () => {
    // By npm run cost -- --measure. The first times start the functions.
    if (process.env.MEASURE) {
      for (let i = 0; i < 2; i++) await measureAll();
      writeMeasured(await measureAll());
    }
    expect((await measureAll()).map(unitsOf)).toEqual(readMeasured().map(unitsOf));
  });
});
