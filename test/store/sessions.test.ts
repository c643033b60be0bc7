import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest';
import { callOf, getSessionTime } from '../../shared/domain/session.ts';
import { NotFound, Unavailable } from '../../shared/errors.ts';
import { countKey, sessionKey, tellingsOf, transcriptKey } from '../../shared/store/keys.ts';
import { faultyProxy } from '../support/faulty-proxy.ts';
import { useEmulator } from '../support/store.ts';

const s3 = await faultyProxy(inject('s3'));
useEmulator({ TRANSCRIPT_DAYS: '30', AWS_ENDPOINT_URL_S3: s3.url });
const { save, remove } = await import('../../shared/store/sessions.ts');
const { get } = await import('../../shared/store/session-calls.ts');
const { getAll } = await import('../../shared/store/table.ts');
const { write } = await import('../../shared/store/table-writes.ts');
const { list, total } = await import('../../shared/store/session-heads.ts');

afterAll(() => s3.stop());

const day = 86_400_000;

const log = (transcript: object[]) => ({
  assistant_id: '01a1fce7-9d80-7c4e-9b2f-5d8a3e6f1c07',
  room_name: 'room',
  transcript: transcript as Record<string, unknown>[],
});

const saved = (owner: string, items: object[], newId: string, identity?: string) =>
  save(owner, {
    identity,
    items,
    newId,
    callUnder: (session_id, { created_at }) =>
      callOf(log(items), { session_id, assistant_name: 'Receptionist', created_at }),
    also: () => [],
  });

async function idsOf(owner: string): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const { sk } of list(owner, {})) ids.push(sk);
  return ids;
}

/** The id of a session that was made so many days ago, so many milliseconds into that day in UTC. */
const madeBefore = (days: number, into = 0) => uuidv7({ msecs: (Math.floor(Date.now() / day) - days) * day + into });

describe('sessions that are kept for 30 days', () => {
  const hello = [{ role: 'user', content: 'Hello' }];

  it('are seen for 30 whole days after that of the call, and then no more, nor counted', async () => {
    const owner = randomUUID();
    const [today, last, gone] = [madeBefore(0), madeBefore(30), madeBefore(31, day - 1)];
    for (const id of [gone, last, today]) await saved(owner, hello, id);
    expect(await idsOf(owner)).toEqual([today, last]);
    expect(await total(owner)).toBe(2);
    expect((await get(owner, last)).items).toEqual(hello);
    await expect(get(owner, gone)).rejects.toThrow(NotFound);
    await remove(owner, last);
    expect(await total(owner)).toBe(1);
    await remove(owner, gone); // what is out of sight can still be erased
    await expect(remove(owner, gone)).rejects.toThrow(NotFound);
  });

  it('expire at the end of that day, with all their rows', async () => {
    const owner = randomUUID();
    const id = madeBefore(3);
    await saved(owner, hello, id, 'call');
    const { pk, prefix } = tellingsOf(owner, 'call');
    const rows = await getAll([
      sessionKey(owner, id),
      transcriptKey(owner, id),
      { pk, sk: `${prefix}0` },
      countKey(owner, getSessionTime(id)),
    ]);
    const end = ((Math.floor(Date.now() / day) - 3 + 31) * day) / 1000;
    expect(rows.map(({ expires_at }) => expires_at)).toEqual([end, end, end, end]);
  });

  it('are told anew where only the row of their telling is left', async () => {
    const owner = randomUUID();
    const id = madeBefore(1);
    await saved(owner, hello, id, 'call');
    await write({ Delete: { Key: sessionKey(owner, id) } }); // as the table may do first
    const again = madeBefore(0);
    expect((await saved(owner, hello, again, 'call')).session_id).toBe(again);
    expect((await saved(owner, hello, madeBefore(0, 1), 'call')).session_id).toBe(again);
  });

  it('are told anew once they are kept no longer', async () => {
    const owner = randomUUID();
    await saved(owner, hello, madeBefore(40), 'call');
    const again = madeBefore(0);
    expect((await saved(owner, hello, again, 'call')).session_id).toBe(again);
    expect((await saved(owner, hello, madeBefore(0, 1), 'call')).session_id).toBe(again);
  });
});

describe('when S3 fails', () => {
  const long = Array.from({ length: 400 }, () => ({ id: randomUUID(), role: 'user', content: randomUUID() }));

  afterEach(() => {
    s3.decide = () => 'pass';
  });

  it.each(['fail', 'reset', 'lose'] as const)(
    '(%s) a call is not saved, and saved once when sent again',
    async (fault) => {
      const owner = randomUUID();
      s3.decide = () => fault;
      await expect(saved(owner, long, madeBefore(0), 'call')).rejects.toThrow(Unavailable);
      s3.decide = () => 'pass';
      expect([await idsOf(owner), await total(owner)]).toEqual([[], 0]);
      const id = madeBefore(0);
      for (const newId of [id, madeBefore(0, 1)]) await saved(owner, long, newId, 'call');
      expect([await idsOf(owner), await total(owner)]).toEqual([[id], 1]);
    },
  );

  it('a fault that passes is not seen', async () => {
    const faults = ['fail', 'reset'] as const;
    let asked = 0;
    s3.decide = () => faults[asked++] ?? 'pass';
    await saved(randomUUID(), long, madeBefore(0), 'call');
    expect(asked).toBe(3);
  });

  it('reading and deleting are told to try again, and lose nothing', async () => {
    const owner = randomUUID();
    const id = madeBefore(0);
    await saved(owner, long, id, 'call');
    s3.decide = () => 'fail';
    await expect(get(owner, id)).rejects.toThrow(Unavailable);
    await expect(remove(owner, id)).rejects.toThrow(Unavailable);
    s3.decide = () => 'pass';
    expect((await get(owner, id)).items).toEqual(long);
    await remove(owner, id);
    expect(await idsOf(owner)).toEqual([]);
  });
});
