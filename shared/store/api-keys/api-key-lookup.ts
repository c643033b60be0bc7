import { hasExpired, type StoredApiKey, toHour } from '../../domain/api-key.ts';
import { toApiKeyKey, toApiKeyListKey } from '../table/keys.ts';
import { get, type Row, touch } from '../table/table.ts';

/**
 * Parses the row of a key. The row's own `expires_at` is its TTL, a month after the key expires. Rows of former releases have no `quota`.
 */
export const fromRow = ({ pk: _, sk: __, expires_at: ___, valid_until, ...key }: Row): StoredApiKey =>
  ({ quota: null, ...key, expires_at: valid_until ?? null }) as unknown as StoredApiKey;

/**
 * Returns the key with this hash, if any, and updates the hour of its last use. One round trip, a second one once an
 * hour.
 */
export async function findKey(hash: string): Promise<StoredApiKey | undefined> {
  const row = await get(toApiKeyKey(hash));
  if (!row) return undefined;
  const key = fromRow(row);
  const hour = toHour(Date.now());
  // Best effort: a failed update fails no request. It never recreates a key that was just revoked.
  if (!hasExpired(key) && key.last_used_at !== hour)
    await touch(toApiKeyKey(hash), 'last_used_at', hour).catch(() => {});
  return key;
}

/** True if a user's API key works: it was neither revoked nor has it expired. One round trip. */
export async function isActive(owner: string, id: string): Promise<boolean> {
  const listEntry = await get(toApiKeyListKey(owner, id));
  return listEntry !== undefined && !hasExpired(fromRow(listEntry));
}
