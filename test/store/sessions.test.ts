import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest';
import { toNewCall } from '../../shared/domain/session.ts';
import { NotFound, Unavailable } from '../../shared/errors.ts';
import {
  toAssistantSessionsKey,
  toCallVersionsPrefix,
  toCountKey,
  toEventKey,
  toRoomKey,
  toSessionKey,
  toTranscriptKey,
} from '../../shared/store/table/keys.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { useEmulator } from '../support/store.ts';

const s3 = await startFaultyProxy(inject('s3'));
useEmulator({ TRANSCRIPT_DAYS: '30', AWS_ENDPOINT_URL_S3: s3.url });
const { save, remove } = await import('../../shared/store/sessions/sessions.ts');
const { get } = await import('../../shared/store/sessions/stored-calls.ts');
const { getAll } = await import('../../shared/store/table/table.ts');
const { write } = await import('../../shared/store/table/writes.ts');
const { list, countSessions } = await import('../../shared/store/sessions/session-rows.ts');

afterAll(() => s3.stop());

const day = 86_400_000;

const buildLog = (transcript: object[]) => ({
  assistant_id: '01a1fce7-9d80-7c4e-9b2f-5d8a3e6f1c07',
  room_name: 'room',
  transcript: transcript as Record<string, unknown>[],
});

const prices = { currency: 'USD', entries: {}, updated_at: null };

const saveCall = (owner: string, items: object[], newId: string, identity?: string) =>
  save(owner, {
    identity,
    items,
    newId,
    savedAt: new Date().toISOString(),
    toCall: (session_id, { created_at }) =>
      toNewCall(buildLog(items), prices, { session_id, assistant_name: 'Receptionist', created_at }),
    buildExtraWrites: () => [],
  });

async function listIds(owner: string, filters = {}): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const { sk } of list(owner, filters)) ids.push(sk);
  return ids;
}

/** Creates the id of a session that is `days` old. `into` is the time of that day in UTC, in milliseconds. */
const createSessionId = (days: number, into = 0) =>
  uuidv7({ msecs: (Math.floor(Date.now() / day) - days) * day + into });

describe('sessions with 30 days of retention', () => {
  const hello = [{ role: 'user', content: 'Hello' }];

  it('are listed and counted for 30 whole days after the day of the call', async () => {
    const owner = randomUUID();
    const [today, last, gone] = [createSessionId(0), createSessionId(30), createSessionId(31, day - 1)];
    for (const id of [gone, last, today]) await saveCall(owner, hello, id);
    expect(await listIds(owner)).toEqual([today, last]);
    expect(await countSessions(owner)).toBe(2);
    expect((await get(owner, last)).items).toEqual(hello);
    await expect(get(owner, gone)).rejects.toThrow(NotFound);
    await remove(owner, last, () => []);
    expect(await countSessions(owner)).toBe(1);
    await remove(owner, gone, () => []); // an expired session can still be erased
    await expect(remove(owner, gone, () => [])).rejects.toThrow(NotFound);
  });

  it('expire at the end of that day, with all their rows', async () => {
    const owner = randomUUID();
    const id = createSessionId(3);
    await saveCall(owner, hello, id, 'call');
    const { pk, prefix } = toCallVersionsPrefix(owner, 'call');
    const rows = await getAll([
      toSessionKey(owner, id),
      toTranscriptKey(owner, id),
      { pk, sk: `${prefix}0` },
      toCountKey(owner, id),
    ]);
    const end = ((Math.floor(Date.now() / day) - 3 + 31) * day) / 1000;
    expect(rows.map(({ expires_at }) => expires_at)).toEqual([end, end, end, end]);
  });

  it.each([{ assistant_id: buildLog([]).assistant_id }, { room_name: 'room' }])(
    'are listed by %o without rows of other kinds, which any function could put into the index',
    async (filter) => {
      const owner = randomUUID();
      const [id, forged] = [createSessionId(0, 1), createSessionId(0, 2)];
      await saveCall(owner, hello, id);
      const keys = {
        'by-assistant': toAssistantSessionsKey(owner, buildLog([]).assistant_id),
        'by-room': toRoomKey(owner, 'room'),
      };
      await write({ Put: { Item: { pk: toEventKey(owner, '').pk, sk: forged, ...keys } } });
      expect(await listIds(owner, filter)).toEqual([id]);
    },
  );

  it('are created again if only the row of the call version is left', async () => {
    const owner = randomUUID();
    const id = createSessionId(1);
    await saveCall(owner, hello, id, 'call');
    await write({ Delete: { Key: toSessionKey(owner, id) } }); // DynamoDB may expire this row first
    const again = createSessionId(0);
    expect((await saveCall(owner, hello, again, 'call')).session_id).toBe(again);
    expect((await saveCall(owner, hello, createSessionId(0, 1), 'call')).session_id).toBe(again);
  });

  it('are created again once they have expired', async () => {
    const owner = randomUUID();
    await saveCall(owner, hello, createSessionId(40), 'call');
    const again = createSessionId(0);
    expect((await saveCall(owner, hello, again, 'call')).session_id).toBe(again);
    expect((await saveCall(owner, hello, createSessionId(0, 1), 'call')).session_id).toBe(again);
  });
});

describe('a row that names the file of another owner', () => {
  const long = Array.from({ length: 400 }, () => ({ id: randomUUID(), role: 'user', content: randomUUID() }));

  it('neither shows it nor deletes it', async () => {
    const [thief, victim, id] = [randomUUID(), randomUUID(), createSessionId(0)];
    await Promise.all([thief, victim].map((owner) => saveCall(owner, long, id)));
    const [row] = await getAll([toSessionKey(victim, id)]);
    await write({ Put: { Item: { ...row, ...toSessionKey(thief, id) } } });
    await expect(get(thief, id)).rejects.toThrow(NotFound);
    await remove(thief, id, () => []);
    expect((await get(victim, id)).items).toEqual(long);
  });
});

describe('a failure of S3', () => {
  const long = Array.from({ length: 400 }, () => ({ id: randomUUID(), role: 'user', content: randomUUID() }));

  afterEach(() => {
    s3.decide = () => 'pass';
  });

  it.each(['fail', 'reset', 'lose'] as const)('saves nothing, and a retry saves the call once: %s', async (fault) => {
    const owner = randomUUID();
    s3.decide = () => fault;
    await expect(saveCall(owner, long, createSessionId(0), 'call')).rejects.toThrow(Unavailable);
    s3.decide = () => 'pass';
    expect([await listIds(owner), await countSessions(owner)]).toEqual([[], 0]);
    const id = createSessionId(0);
    for (const newId of [id, createSessionId(0, 1)]) await saveCall(owner, long, newId, 'call');
    expect([await listIds(owner), await countSessions(owner)]).toEqual([[id], 1]);
  });

  it('is hidden by retries if it passes', async () => {
    const faults = ['fail', 'reset'] as const;
    let attempts = 0;
    s3.decide = () => faults[attempts++] ?? 'pass';
    await saveCall(randomUUID(), long, createSessionId(0), 'call');
    expect(attempts).toBe(3);
  });

  it('makes reads and deletes throw Unavailable, and loses nothing', async () => {
    const owner = randomUUID();
    const id = createSessionId(0);
    await saveCall(owner, long, id, 'call');
    s3.decide = () => 'fail';
    await expect(get(owner, id)).rejects.toThrow(Unavailable);
    await expect(remove(owner, id, () => [])).rejects.toThrow(Unavailable);
    s3.decide = () => 'pass';
    expect((await get(owner, id)).items).toEqual(long);
    await remove(owner, id, () => []);
    expect(await listIds(owner)).toEqual([]);
  });
});
