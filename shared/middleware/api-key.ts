import { timingSafeEqual } from 'node:crypto';
import { faultOfSecret, hasExpired, hashOf, type StoredKey } from '../domain/api-key.ts';
import { env } from '../env.ts';
import { InvalidToken } from '../errors.ts';
import type { User } from '../user.ts';
import { Memory } from './memory.ts';

const environment = env('ENVIRONMENT');

/** For how long a key that was found is taken without asking again, in milliseconds: a revocation holds within a minute. */
const memoryMs = 55_000;

const remembered = new Memory<StoredKey>(1_000);

const equal = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Looks a key up by the hash of its secret. */
export type FindKey = (hash: string) => Promise<StoredKey | undefined>;

/** The key of a hash, undefined where there is none. One round trip, none where it was seen within the last minute. */
async function find(hash: string, findKey: FindKey): Promise<StoredKey | undefined> {
  const now = Date.now();
  const known = remembered.get(hash);
  if (known) return known;
  const key = await findKey(hash);
  if (key && equal(key.hash, hash)) {
    remembered.put(hash, key, now + memoryMs);
    return key;
  }
  remembered.delete(hash);
  return undefined;
}

/** Whom an API key stands for. Throws InvalidToken. */
export async function holderOf(secret: string, findKey: FindKey): Promise<User> {
  const fault = faultOfSecret(secret, environment);
  if (fault) throw new InvalidToken(fault);
  const key = await find(hashOf(secret), findKey);
  if (!key || hasExpired(key)) throw new InvalidToken('The API key is unknown, revoked or expired: make a new one');
  return {
    id: key.user_id,
    key: key.owner,
    tokenType: 'api_key',
    expiresAt: key.expires_at,
    scopes: key.scopes,
    keyId: key.id,
  };
}
