import { hasExpired, hourOf, type StoredKey } from '../domain/api-key.ts';
import { apiKeyKey } from './keys.ts';
import { get, type Item, touch } from './table.ts';

/** A key from its item, in which `expires_at` is the time when the item goes, a month after the key's own end. */
export const fromItem = ({ pk: _, sk: __, expires_at: ___, valid_until, ...key }: Item): StoredKey =>
  ({ ...key, expires_at: valid_until ?? null }) as unknown as StoredKey;

/** The key of a hash, undefined where there is none. Notes the hour of its use. One round trip, and once an hour another. */
export async function use(hash: string): Promise<StoredKey | undefined> {
  const item = await get(apiKeyKey(hash));
  if (!item) return undefined;
  const key = fromItem(item);
  const hour = hourOf(Date.now());
  // A key that was revoked in between stays gone, and no request fails for a note.
  if (!hasExpired(key) && key.last_used_at !== hour) await touch(apiKeyKey(hash), 'last_used_at', hour).catch(() => {});
  return key;
}
