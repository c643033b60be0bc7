import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { v7 as uuidv7 } from 'uuid';
import { Conflict } from '../errors.ts';
import { instantOf, latest, written } from '../instant.ts';
import type { ApiKey, NewApiKey } from '../schemas/api-key.ts';
import { envelope } from '../schemas/common.ts';

/**
 * A key as its holder sends it: `va_<environment>_`, 50 characters of secret (256 bits in base 36), 7 of checksum.
 * One word in small letters, so that it is copied by a double click, and scanners find it by `pattern`.
 */
const pattern = /^va_([a-z0-9-]+)_[0-9a-z]{50}([0-9a-z]{7})$/;

/** What `Authorization: Bearer` begins with where it brings a key and no token. */
export const isApiKey = (text: string): boolean => text.startsWith('va_');

const checksumOf = (text: string) => crc32(text).toString(36).padStart(7, '0');

/** A new secret for an environment. */
export function secretFor(environment: string): string {
  const secret = BigInt(`0x${randomBytes(32).toString('hex')}`)
    .toString(36)
    .padStart(50, '0');
  const key = `va_${environment}_${secret}`;
  return key + checksumOf(key);
}

/** What is wrong with a key, found without asking anybody; undefined where it may be one of this environment. */
export function faultOfSecret(secret: string, environment: string): string | undefined {
  const [, itsEnvironment, checksum] = pattern.exec(secret) ?? [];
  if (!checksum || checksum !== checksumOf(secret.slice(0, -checksum.length))) {
    return 'The API key is mistyped: its checksum is not that of its text';
  }
  return itsEnvironment === environment ? undefined : 'The API key is one of another environment';
}

/** All that is stored of a secret. A plain hash will do: there is nothing to guess in 256 random bits. */
export const hashOf = (secret: string): string => hash('sha256', secret, 'base64url');

/** A key as it is stored under its hash: its record, and whom it stands for. */
export interface StoredKey extends ApiKey {
  hash: string;
  /** The user's partition, and the `sub`. */
  owner: string;
  user_id: string;
}

const hour = 3_600_000;

/** The hour of a moment, RFC 3339: as exactly as the last use of a key is known. */
export const hourOf = (ms: number): string => new Date(ms - (ms % hour)).toISOString();

export const hasExpired = ({ expires_at }: { expires_at: string | null }, now = Date.now()): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now;

type Holder = Pick<StoredKey, 'owner' | 'user_id'>;

/** A new key of a user, and what is stored of it. */
export function newKey({ name, scopes, expires_at }: NewApiKey, holder: Holder, secret: string): StoredKey {
  return {
    ...holder,
    id: uuidv7(),
    name,
    scopes: [...new Set(scopes)],
    hash: hashOf(secret),
    masked_key: `****${secret.slice(-4)}`,
    expires_at: written(instantOf(expires_at)),
    last_used_at: null,
    replaced_by: null,
    created_at: new Date().toISOString(),
  };
}

/**
 * The key that takes the place of another: the same name and scopes, and the same span of life anew.
 * Throws Conflict where that one has expired or been replaced.
 */
export function replacementOf(old: StoredKey, secret: string): StoredKey {
  if (old.replaced_by) throw new Conflict(['body', 'id'], 'This key has been rotated: rotate the one that replaced it');
  if (hasExpired(old)) throw new Conflict(['body', 'id'], 'This key has expired: make a new one');
  const span = old.expires_at && Date.parse(old.expires_at) - Date.parse(old.created_at);
  const expires_at = span === null ? null : written(Math.min(Date.now() + Number(span), latest));
  return newKey({ name: old.name, scopes: old.scopes, expires_at }, old, secret);
}

/** When a key that is replaced ends: after the grace, or earlier where it would have expired by then. */
export function endAfter({ expires_at }: ApiKey, graceSeconds: number): string {
  const end = new Date(Date.now() + graceSeconds * 1000).toISOString();
  return expires_at !== null && expires_at < end ? expires_at : end;
}

/** A key as its owner sees it. */
export const shownKey = (key: StoredKey): ApiKey => ({
  id: key.id,
  name: key.name,
  scopes: key.scopes,
  masked_key: key.masked_key,
  expires_at: key.expires_at,
  last_used_at: key.last_used_at,
  replaced_by: key.replaced_by,
  created_at: key.created_at,
});

/** The answer that hands over a key, with its secret or, where it is said a second time, without. */
export const issued = (key: StoredKey, secret: string | null) => ({
  body: envelope('API key made', { ...shownKey(key), secret }),
  created: `/api-keys/${key.id}`,
});
