import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { v7 as uuidv7 } from 'uuid';
import { Conflict } from '../errors.ts';
import type { ApiKey, NewApiKey } from '../schemas/api-key.ts';
import { toEnvelope } from '../schemas/common.ts';
import { formatTimestamp, maxTimestampMs, parseTimestamp } from '../timestamp.ts';
import { getTimeIn } from './time.ts';

/**
 * Format of an API key's secret: `va_<environment>_`, 50 random characters (256 bits in base 36), 7 of checksum. A
 * double click selects all of it, and secret scanners can match it.
 */
const secretPattern = /^va_([a-z0-9-]+)_[0-9a-z]{50}([0-9a-z]{7})$/;

/** True if a bearer credential is an API key instead of a token. */
export const isApiKey = (text: string): boolean => text.startsWith('va_');

const computeChecksum = (text: string) => crc32(text).toString(36).padStart(7, '0');

/** Generates a secret for an environment. */
export function generateSecret(environment: string): string {
  const secret = BigInt(`0x${randomBytes(32).toString('hex')}`)
    .toString(36)
    .padStart(50, '0');
  const key = `va_${environment}_${secret}`;
  return key + computeChecksum(key);
}

/**
 * Checks format, checksum and environment of a secret without I/O. Returns an error message if the secret is invalid.
 */
export function findSecretFault(secret: string, environment: string): string | undefined {
  const [, keyEnvironment, checksum] = secretPattern.exec(secret) ?? [];
  if (!checksum || checksum !== computeChecksum(secret.slice(0, -checksum.length))) {
    return 'The API key is mistyped: its checksum does not match';
  }
  return keyEnvironment === environment ? undefined : 'The API key belongs to another environment';
}

/** Hashes a secret for storage. A fast hash is enough, since nobody can guess 256 random bits. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url');

/** An API key as stored under the hash of its secret, with the user that it acts for. */
export interface StoredApiKey extends ApiKey {
  hash: string;
  /** Owner in the table's partition keys. */
  owner: string;
  /** `sub` of the owner, or id of the workspace. */
  user_id: string;
  /** Tier of the person who created it. Unset without the setting `quotas`. */
  tier?: string | undefined;
}

const hourMs = 3_600_000;

/** Rounds a time down to its hour, RFC 3339. The precision of `last_used_at`. */
export const toHour = (ms: number): string => new Date(ms - (ms % hourMs)).toISOString();

export const hasExpired = ({ expires_at }: { expires_at: string | null }, now = Date.now()): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now;

type KeyOwner = Pick<StoredApiKey, 'owner' | 'user_id' | 'tier'>;

/** Creates the record of a new key, given its secret. */
export function buildApiKey(
  { name, scopes, expires_at, quota }: NewApiKey,
  { owner, user_id, tier }: KeyOwner,
  secret: string,
): StoredApiKey {
  return {
    owner,
    user_id,
    tier,
    id: uuidv7(),
    name,
    scopes: [...new Set(scopes)],
    hash: hashSecret(secret),
    masked_key: `****${secret.slice(-4)}`,
    expires_at: formatTimestamp(parseTimestamp(expires_at)),
    last_used_at: null,
    replaced_by: null,
    quota: quota ?? null,
    created_at: new Date().toISOString(),
  };
}

/**
 * Creates the key that replaces another one, with the same name, scopes, quota and lifetime, and the tier of the person who rotates it. The
 * lifetime starts now. Throws Conflict if the old key has expired or was already replaced.
 */
export function buildReplacement(old: StoredApiKey, secret: string, tier: string | undefined): StoredApiKey {
  if (old.replaced_by) throw new Conflict(['body', 'id'], 'This key has been rotated: rotate the one that replaced it');
  if (hasExpired(old)) throw new Conflict(['body', 'id'], 'This key has expired: create a new one');
  const lifetimeMs = old.expires_at && Date.parse(old.expires_at) - Date.parse(old.created_at);
  const expires_at =
    lifetimeMs === null ? null : formatTimestamp(Math.min(Date.now() + Number(lifetimeMs), maxTimestampMs));
  const { name, scopes, quota } = old;
  return buildApiKey({ name, scopes, expires_at, quota }, { ...old, tier }, secret);
}

/** Returns the expiry of a replaced key: the end of the grace period, or its own expiry if that is earlier. */
export function toGraceEnd({ expires_at }: ApiKey, graceSeconds: number): string {
  const end = getTimeIn(graceSeconds);
  return expires_at !== null && expires_at < end ? expires_at : end;
}

/** Converts a stored key to its API representation. */
export const toPublicApiKey = (key: StoredApiKey): ApiKey => ({
  id: key.id,
  name: key.name,
  scopes: key.scopes,
  masked_key: key.masked_key,
  expires_at: key.expires_at,
  last_used_at: key.last_used_at,
  replaced_by: key.replaced_by,
  quota: key.quota,
  created_at: key.created_at,
});

/** Builds the result of creating a key. The secret is null in the remembered result, which a retry gets. */
export const toIssuedResult = (key: StoredApiKey, secret: string | null) => ({
  body: toEnvelope('API key created', { ...toPublicApiKey(key), secret }),
  created: `/api-keys/${key.id}`,
});
