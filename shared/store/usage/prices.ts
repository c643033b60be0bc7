import { checkPrecondition, type Precondition } from '../../domain/etag.ts';
import type { StoredPrices } from '../../domain/prices.ts';
import type { NewPrices } from '../../schemas/usage.ts';
import { toPricesKey } from '../table/keys.ts';
import { Outdated, retryOnConflict } from '../table/retry-on-conflict.ts';
import { get as getItem, type Row } from '../table/table.ts';
import { type Write, write } from '../table/writes.ts';

/** Prices of a user who has saved none. */
const none: StoredPrices = { currency: 'USD', entries: {}, updated_at: null, revision: 1 };

/** Converts a row of prices, or no row. */
export const toPrices = (row: Row | undefined): StoredPrices => {
  if (!row) return none;
  const { pk: _, sk: __, ...prices } = row;
  return prices as unknown as StoredPrices;
};

/** Returns the prices of a user. One round trip. */
export const get = async (owner: string): Promise<StoredPrices> => toPrices(await getItem(toPricesKey(owner)));

/**
 * Replaces all prices, in one transaction with the extra writes. Two round trips. Throws PreconditionFailed if they are at another
 * revision, or Conflict after five conflicting writes.
 */
export function replace(
  owner: string,
  prices: NewPrices,
  precondition: Precondition,
  buildExtraWrites: (saved: StoredPrices) => Write[],
): Promise<StoredPrices> {
  const attempt = async () => {
    const current = await get(owner);
    checkPrecondition(precondition, current.revision);
    const { entries, currency = current.currency } = prices;
    const saved = { currency, entries, updated_at: new Date().toISOString(), revision: current.revision + 1 };
    await write(
      {
        Put: {
          Item: { ...toPricesKey(owner), ...saved },
          ConditionExpression: 'attribute_not_exists(pk) OR revision = :was',
          ExpressionAttributeValues: { ':was': current.revision },
        },
        toError: () => new Outdated(),
      },
      ...buildExtraWrites(saved),
    );
    return saved;
  };
  return retryOnConflict(attempt, 'Too many other requests are changing your prices: try again');
}
