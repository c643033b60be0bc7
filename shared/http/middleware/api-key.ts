import { timingSafeEqual } from 'node:crypto';
import { findSecretFault, hasExpired, hashSecret, type StoredApiKey } from '../../domain/api-key.ts';
import { listKeyLimits } from '../../domain/quota.ts';
import { env } from '../../env.ts';
import { InvalidToken } from '../../errors.ts';
import { toWorkspaceKey } from '../../store/table/keys.ts';
import type { User } from '../../user.ts';
import { findLimits } from './tier.ts';
import { TtlCache } from './ttl-cache.ts';

const environment = env('ENVIRONMENT');
const issuer = env('ISSUER');

/** Lifetime of a cached key, in milliseconds. Keeps the promise that a revoked key stops working within a minute. */
const cacheTtlMs = 55_000;

const cachedKeys = new TtlCache<StoredApiKey>(1_000);

const isSameHash = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Finds a key by the hash of its secret. */
export type FindKey = (hash: string) => Promise<StoredApiKey | undefined>;

/** Returns the key with this hash, if any. Costs one round trip, or none while the key is cached. */
async function findStoredKey(hash: string, findKey: FindKey): Promise<StoredApiKey | undefined> {
  const now = Date.now();
  const known = cachedKeys.get(hash);
  if (known) return known;
  const key = await findKey(hash);
  if (key && isSameHash(key.hash, hash)) {
    cachedKeys.set(hash, key, now + cacheTtlMs);
    return key;
  }
  cachedKeys.delete(hash);
  return undefined;
}

/** Returns the user that an API key acts for. Throws InvalidToken. */
export async function verifyApiKey(secret: string, findKey: FindKey): Promise<User> {
  const fault = findSecretFault(secret, environment);
  if (fault) throw new InvalidToken(fault);
  const key = await findStoredKey(hashSecret(secret), findKey);
  if (!key || hasExpired(key)) throw new InvalidToken('The API key is unknown, revoked or expired: create a new one');
  const isWorkspace = key.owner === toWorkspaceKey(issuer, key.user_id);
  const { limits, ...tier } = findLimits(key.tier);
  return {
    id: key.user_id,
    key: key.owner,
    sub: key.user_id,
    tokenType: 'api_key',
    expiresAt: key.expires_at,
    scopes: key.scopes,
    ...(isWorkspace && { workspace: key.user_id }),
    workspaces: isWorkspace ? [key.user_id] : [],
    ...tier,
    limits: [...limits, ...listKeyLimits(key.id, key.quota)],
    keyId: key.id,
  };
}
