import { randomUUID } from 'node:crypto';
import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import * as v from 'valibot';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildJob, isOver, type StoredJob, toPublicJob } from '../../shared/domain/job.ts';
import { NewAssistant } from '../../shared/schemas/assistant.ts';
import type { RequestOfJob } from '../../shared/schemas/job.ts';
import { type Key, toApiKeyListKey, toEventKey, toJobKey, toJobTurnKey } from '../../shared/store/table/keys.ts';
import { minimal } from '../support/assistants.ts';
import { answer, startReceiver } from '../support/receiver.ts';
import { useEmulator } from '../support/store.ts';
import { eventually } from '../support/timeouts.ts';
import { answerModel } from '../support/vendor.ts';

const vendor = await startReceiver();
afterAll(() => vendor.stop());
useEmulator({ OUTBOUND_ALLOW: '127.0.0.1:*' });
const jobs = await import('../../shared/store/jobs/jobs.ts');
const { remindJob } = await import('../../shared/store/jobs/turns.ts');
const { query } = await import('../../shared/store/table/table.ts');
const assistants = await import('../../shared/store/assistants.ts');
const { buildAssistant } = await import('../../shared/domain/assistant.ts');
const { handler } = await import('../../functions/run-job.ts');

const owner = 'o'.repeat(43);
const llm = { llm_provider: 'openai', model: 'm', base_url: vendor.url.replace(/\/hook$/, '/v1') };
const assistant = buildAssistant(v.parse(NewAssistant, { ...minimal, llm }));
await assistants.insert(owner, assistant, []);

beforeEach(() => {
  vendor.requests.length = 0;
  vendor.script = answerModel({ text: 'Good day!' });
});
afterEach(() => vi.useRealTimers());

const toTurn = (id: string) => toJobTurnKey(owner, id, 'of-the-test');

/** Stores a job that waits for the turn of the test. The host of the tests reads the same stream, and takes the other turns. */
async function insertJob(count: number, fields: Partial<StoredJob> = {}): Promise<StoredJob> {
  const requests = Array.from({ length: count }, (_, i) => ({
    custom_id: String(i),
    body: { model: assistant.id, messages: [{ role: 'user', content: `Question ${i}` }], variables: {}, call: {} },
  }));
  const job = buildJob(count, 'ada', { kind: 'user', id: 'ada' });
  Object.assign(job, { turn: toTurn(job.id).sk, claimed_until: Date.now() + 600_000 }, fields);
  await jobs.insert(owner, job, requests as unknown as RequestOfJob[], []);
  return job;
}

/** Delivers the record of a new row. Rejects if it has to be delivered again. */
async function deliver({ pk, sk }: Key): Promise<void> {
  const record = { dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, SequenceNumber: '1' } };
  const context = { awsRequestId: randomUUID() };
  await handler({ Records: [record] } as unknown as DynamoDBStreamEvent, context as unknown as Context);
}

/** Lists the rows that ask for another turn of a job. */
async function listTurns({ id }: StoredJob): Promise<Key[]> {
  const { pk, sk } = toJobTurnKey(owner, id, '');
  const found: Key[] = [];
  for await (const row of query({ pk, prefix: sk })) found.push({ pk: String(row.pk), sk: String(row.sk) });
  return found;
}

const read = async ({ id }: StoredJob) => toPublicJob(await jobs.get(owner, id));

/** Lets a minute pass, in which something happens, while the vendor answers its first request. */
function passMinute(happen = async () => {}) {
  vi.useFakeTimers({ toFake: ['Date'] });
  vendor.script = async (...exchange) => {
    if (vendor.requests.length === 1) {
      vi.setSystemTime(Date.now() + 61_000);
      await happen();
    }
    answerModel({ text: 'Good day!' })(...exchange);
  };
}

describe('a turn of a job', () => {
  it('ends after a minute, and the next goes on behind the jobs that wait', async () => {
    const job = await insertJob(25);
    passMinute();
    await deliver(toTurn(job.id));
    expect(await read(job)).toMatchObject({ status: 'running', succeeded: 10, failed: 0, ended_at: null });
    vi.useRealTimers();
    await eventually(async () => expect(await read(job)).toMatchObject({ status: 'done', succeeded: 25 }));
    expect(vendor.requests.length).toBe(25);
    expect(await listTurns(job)).toHaveLength(1);
  });

  it('is taken once, however often it is delivered', async () => {
    const job = await insertJob(3);
    await deliver(toTurn(job.id));
    await deliver(toTurn(job.id));
    await deliver(toJobTurnKey(owner, job.id, randomUUID()));
    expect(vendor.requests.length).toBe(3);
  });

  it('is asked for by rows of jobs alone, whatever the sort keys of others are', async () => {
    const job = await insertJob(1);
    await deliver({ pk: toEventKey(owner, '').pk, sk: toTurn(job.id).sk });
    expect(vendor.requests).toEqual([]);
  });

  it('leaves a job to the run that has it, and stores nothing once another run of the same turn has taken it', async () => {
    const job = await insertJob(3);
    const { sk: turn } = toTurn(job.id);
    const first = await jobs.claim(owner, job.id, turn);
    expect(first).toMatchObject({ id: job.id });
    expect(await jobs.claim(owner, job.id, 'TURN#other')).toBeUndefined();
    const second = await jobs.claim(owner, job.id, turn);
    if (!first || !second) throw new Error('Nothing was claimed');

    expect(await jobs.continueLater(owner, first, [])).toBe(false);
    expect(await jobs.end(owner, first, [], [])).toBe(false);
    expect(await listTurns(job)).toEqual([]);
    expect(await jobs.continueLater(owner, second, [])).toBe(true);
    await eventually(async () => expect(await read(job)).toMatchObject({ status: 'done', succeeded: 3 }));
  });

  it('ends a job whose time is over with the answers that it has', async () => {
    const job = await insertJob(25, { created_at: new Date(Date.now() - 21 * 3_600_000).toISOString() });
    await deliver(toTurn(job.id));
    expect(vendor.requests.length).toBe(0);
    expect(await read(job)).toMatchObject({ status: 'expired', succeeded: 0, ended_at: expect.any(String) });
  });

  it.for([
    ['was revoked', (Key: Key) => ({ Delete: { Key } })],
    ['has expired', (key: Key) => ({ Put: { Item: { ...key, valid_until: '2026-01-01T00:00:00.000Z' } } })],
  ] as const)('ends a job whose API key %s meanwhile, with the answers that it has', async ([, buildEnd]) => {
    const { write } = await import('../../shared/store/table/writes.ts');
    const key = toApiKeyListKey(owner, randomUUID());
    await write({ Put: { Item: { ...key, valid_until: null } } });
    const job = await insertJob(25, { actor: { kind: 'api_key', id: key.sk.slice('APIKEY#'.length) } });
    passMinute(() => write(buildEnd(key)));
    await deliver(toTurn(job.id));
    vi.useRealTimers();
    await eventually(async () => expect(await read(job)).toMatchObject({ status: 'expired', succeeded: 10 }));
    expect(vendor.requests.length).toBe(10);
  });

  it('ends a job after twelve runs that broke off, with the answers that it has', async () => {
    const job = await insertJob(2);
    const { sk: turn } = toTurn(job.id);
    for (let i = 0; i < 11; i++) await jobs.claim(owner, job.id, turn);
    const claimed = await jobs.claim(owner, job.id, turn);
    expect(claimed && isOver(claimed)).toBe(false);
    await deliver(toTurn(job.id));
    expect(vendor.requests.length).toBe(0);
    expect(await read(job)).toMatchObject({ status: 'expired', succeeded: 0, ended_at: expect.any(String) });
  });

  it('that stores its answers lets the job have twelve runs again', async () => {
    const job = await insertJob(2);
    const { sk: turn } = toTurn(job.id);
    for (let i = 0; i < 11; i++) await jobs.claim(owner, job.id, turn);
    const claimed = await jobs.claim(owner, job.id, turn);
    if (!claimed) throw new Error('Nothing was claimed');
    await jobs.continueLater(owner, claimed, []);
    await eventually(async () => expect(await read(job)).toMatchObject({ status: 'done', succeeded: 2 }));
  });

  it('does nothing for a job that is gone', async () => {
    await deliver(toJobKey(owner, randomUUID()));
    expect(vendor.requests.length).toBe(0);
  });

  it('has to be delivered again if the requests cannot be read, and then answers them', async () => {
    const job = await insertJob(2);
    const id = randomUUID();
    const gone = { ...job, id, turn: toTurn(id).sk };
    const { write } = await import('../../shared/store/table/writes.ts');
    await write({ Put: { Item: { ...toJobKey(owner, id), ...gone } } });
    await expect(deliver(toTurn(id))).rejects.toThrow('The requests of the job are gone');
    await jobs.insert(owner, gone, await jobs.loadRequests(owner, job.id), []);
    await deliver(toTurn(id));
    expect(await read(gone)).toMatchObject({ status: 'done', succeeded: 2 });
  });

  it('is given up by the function if the requests are gone, and holds up no other job', async () => {
    const { write } = await import('../../shared/store/table/writes.ts');
    const gone = { ...buildJob(1, 'ada', { kind: 'user', id: 'ada' }), turn: 'TURN#none', claimed_until: 0 };
    await write({ Put: { Item: { ...toJobKey(owner, gone.id), ...gone } } });
    const next = await insertJob(1, { claimed_until: 0 } as object);
    await eventually(async () => expect(await read(next)).toMatchObject({ status: 'done', succeeded: 1 }));
    const readGone = () => read(gone as unknown as StoredJob);
    await eventually(async () => expect(await readGone()).toMatchObject({ status: 'running', ended_at: null }));
  });

  it('puts an error in the place of an answer that is too long', async () => {
    vendor.script = answerModel({ text: 'é'.repeat(120_000) });
    const job = await insertJob(1);
    await deliver(toTurn(job.id));
    expect(await read(job)).toMatchObject({ status: 'done', succeeded: 0, failed: 1 });
  });

  it('sends a request once if its vendor wants a pause of more than a minute', async () => {
    vendor.script = answer(429, '{}', { 'retry-after': '3600' });
    const job = await insertJob(1);
    await deliver(toTurn(job.id));
    expect(vendor.requests.length).toBe(1);
    expect(await read(job)).toMatchObject({ status: 'done', failed: 1 });
  });
});

describe('the sweep', () => {
  it('gives a job another turn that had none for half an hour, once', async () => {
    const job = await insertJob(1);
    const key = toJobKey(owner, job.id);
    const { getAll } = await import('../../shared/store/table/table.ts');
    const [row] = await getAll([key]);
    const waiting = { owner, kind: 'JOB' as const, id: job.id, eventId: '', key, due: String(row?.due) };
    expect(await remindJob(waiting)).toBe('job continued');
    expect(await remindJob({ ...waiting, due: '2020-01-01T00:00:00.000Z' })).toBe('settled');
    expect(await listTurns(job)).toHaveLength(1);
  });
});
