import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AppliedLimit } from '../../shared/domain/quota.ts';
import { QuotaExceeded } from '../../shared/errors.ts';
import { toQuotaCountsKey, toUserKey } from '../../shared/store/table/keys.ts';
import { useEmulator } from '../support/store.ts';

useEmulator();
const { add, listUse } = await import('../../shared/store/quota-counts.ts');
const { client, TableName } = await import('../../shared/store/table/table.ts');

const limit: AppliedLimit = { quota: 'completions', setBy: 'tier', limit: 2, counter: 'completions' };
const getUsed = async (owner: string) => (await listUse(owner, [limit]))[0]?.used;
const setClock = (at: string) => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at) });

afterEach(() => {
  vi.useRealTimers();
});

describe('the counts of a quota', () => {
  it('start anew at midnight in UTC', async () => {
    const owner = toUserKey('issuer', randomUUID());
    setClock('2026-12-31T23:59:59.000Z');
    await add(owner, [limit], 2);
    const refused = await add(owner, [limit], 1).catch((error) => error);
    expect(refused).toBeInstanceOf(QuotaExceeded);
    expect(refused.headers).toMatchObject({ 'retry-after': '1', ratelimit: '"completions";r=0;t=1' });
    expect(refused.detail[0].msg).toContain('try again after 2027-01-01T00:00:00.000Z');

    setClock('2027-01-01T00:00:00.000Z');
    expect(await getUsed(owner)).toBe(0);
    await add(owner, [limit], 1);
    expect(await listUse(owner, [limit])).toEqual([
      { name: 'completions', set_by: 'tier', limit: 2, used: 1, resets_at: '2027-01-02T00:00:00.000Z' },
    ]);
  });

  it('are refunded on the day on which they were added', async () => {
    const owner = toUserKey('issuer', randomUUID());
    setClock('2026-12-31T23:59:59.000Z');
    const refund = await add(owner, [limit], 2);
    setClock('2027-01-01T00:00:00.000Z');
    await add(owner, [limit], 2);
    await refund();
    expect(await getUsed(owner)).toBe(2);
    setClock('2026-12-31T23:59:59.000Z');
    expect(await getUsed(owner)).toBe(0);
  });

  it('are full after thousands of API keys with limits, and refuse another until tomorrow', async () => {
    const owner = toUserKey('issuer', randomUUID());
    setClock('2026-12-31T23:59:00.000Z');
    await add(owner, [limit], 1);
    const Item = { ...toQuotaCountsKey(owner, Date.now()), completions: 1, others: 'x'.repeat(409_450) };
    await client.send(new PutCommand({ TableName, Item }));
    const ofKey: AppliedLimit = { ...limit, setBy: 'api_key', counter: `completions#${randomUUID()}` };
    const refused = await add(owner, [ofKey], 1).catch((error) => error);
    expect(refused).toBeInstanceOf(QuotaExceeded);
    expect(refused.headers).toMatchObject({ 'retry-after': '60' });
    await add(owner, [limit], 1);
    expect(await getUsed(owner)).toBe(2);
  });

  it('never exceed the limit, however many add at once', async () => {
    const owner = toUserKey('issuer', randomUUID());
    const added = await Promise.allSettled(Array.from({ length: 40 }, () => add(owner, [limit], 1)));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await getUsed(owner)).toBe(2);
  });
});
