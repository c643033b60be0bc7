import { type AppliedLimit, buildDayFull, buildQuotaExceeded, toDay, toQuotaUse } from '../domain/quota.ts';
import { toQuotaCountsKey } from './table/keys.ts';
import { daySeconds, get } from './table/table.ts';
import { write, writeIf } from './table/writes.ts';

/** Days after its own that a day's row is kept. */
const keptDays = 3;

const toNames = (limits: readonly AppliedLimit[]) =>
  Object.fromEntries(limits.map(({ counter }, i) => [`#count${i}`, counter]));

const toAddition = (limits: readonly AppliedLimit[]) => `ADD ${limits.map((_, i) => `#count${i} :n`).join(', ')}`;

/** Takes back requests that were counted. Does nothing if their count is gone. */
export type Refund = () => Promise<unknown>;

/**
 * Counts requests of an owner for today, under all limits or, if they would exceed one, under none. One round trip. Throws QuotaExceeded.
 * A request that AWS's client repeats, since its answer was lost, may count twice.
 */
export async function add(owner: string, limits: readonly AppliedLimit[], requests: number): Promise<Refund> {
  const day = toDay(Date.now());
  const Key = toQuotaCountsKey(owner, day.startsAt);
  const ExpressionAttributeNames = toNames(limits);
  const conditions = limits.map(({ limit }, i) =>
    requests > limit ? `#count${i} <= :max${i}` : `(attribute_not_exists(#count${i}) OR #count${i} <= :max${i})`,
  );
  await write({
    Update: {
      Key,
      UpdateExpression: `SET expires_at = :end ${toAddition(limits)}`,
      ConditionExpression: conditions.join(' AND '),
      ExpressionAttributeNames,
      ExpressionAttributeValues: {
        ':n': requests,
        ':end': day.endsAt / 1000 + keptDays * daySeconds,
        ...Object.fromEntries(limits.map(({ limit }, i) => [`:max${i}`, limit - requests])),
      },
    },
    toError: (stored = {}) => buildQuotaExceeded(limits, stored, requests, day),
  }).catch((error: Error) => {
    throw /item size/i.test(error.message) ? buildDayFull(limits, day) : error;
  });
  return () =>
    writeIf({
      Update: {
        Key,
        UpdateExpression: toAddition(limits),
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames,
        ExpressionAttributeValues: { ':n': -requests },
      },
    });
}

/** Returns how much of each limit is used today. One round trip. */
export async function listUse(owner: string, limits: readonly AppliedLimit[]) {
  const day = toDay(Date.now());
  const counts = (await get(toQuotaCountsKey(owner, day.startsAt))) ?? {};
  return limits.map((limit) => toQuotaUse(limit, counts, day));
}
