import { generateSecret, hasExpired, type StoredApiKey, toGraceEnd } from '../../domain/api-key.ts';
import { takeFirst } from '../../domain/page.ts';
import { env } from '../../env.ts';
import { Conflict, NotFound } from '../../errors.ts';
import { type Key, toApiKeyCountKey, toApiKeyKey, toApiKeyListKey, toApiKeyListPrefix } from '../table/keys.ts';
import { Outdated, retryOnConflict } from '../table/retry-on-conflict.ts';
import { daySeconds, get, getAll, query, type Row } from '../table/table.ts';
import { type Write, write } from '../table/writes.ts';
import { fromRow } from './api-key-lookup.ts';

const notFound = (...loc: string[]) => new NotFound(loc, 'You have no API key with this id');

const environment = env('ENVIRONMENT');

/** Generates a secret for this environment. */
export const createSecret = (): string => generateSecret(environment);

/** Maximum number of active keys of a user, and of rows. Rows of replaced and expired keys stay for a month. */
const maxActiveKeys = 100;
const maxRows = 1_000;

/** Time that an expired key stays in the list, in seconds. */
const listingSeconds = 30 * daySeconds;

const toTtl = (validUntil: string | null) =>
  validUntil === null ? {} : { expires_at: Math.floor(Date.parse(validUntil) / 1000) + listingSeconds };

/**
 * Builds the writes of a key: the key itself, under the hash that requests look up, and an entry in the list of its
 * user.
 */
function buildInsertWrites({ expires_at, ...key }: StoredApiKey): [Write, Write] {
  const lifetime = toTtl(expires_at);
  const keyRow = { ...toApiKeyKey(key.hash), ...key, valid_until: expires_at, ...lifetime };
  const listEntry = { ...toApiKeyListKey(key.owner, key.id), hash: key.hash, valid_until: expires_at, ...lifetime };
  return [{ Put: { Item: keyRow } }, { Put: { Item: listEntry } }];
}

/** Lists all rows of a user's key list, without a limit: an active key must never be invisible. */
const listRows = (owner: string): Promise<Row[]> =>
  takeFirst(query(toApiKeyListPrefix(owner)), Number.POSITIVE_INFINITY);

/** Returns the number of active keys of a user. Throws Conflict if it has reached the limit. One round trip. */
async function checkLimit(owner: string, limit = maxActiveKeys): Promise<number> {
  const rows = await listRows(owner);
  const activeCount = rows.filter((row) => !hasExpired(fromRow(row))).length;
  if (activeCount < limit && rows.length < maxRows) return activeCount;
  throw new Conflict(['service'], `You have ${maxActiveKeys} API keys: revoke one that you do not need`);
}

/**
 * Builds the write that increments the count of active keys, up to the limit. The count is an upper bound: revoked and
 * expired keys do not decrement it. It is corrected when it reaches the limit.
 */
const buildCountWrite = (owner: string): Write => ({
  Update: {
    Key: toApiKeyCountKey(owner),
    UpdateExpression: 'SET living = living + :one ADD revision :one',
    ConditionExpression: 'living < :max',
    ExpressionAttributeValues: { ':one': 1, ':max': maxActiveKeys },
  },
  toError: (stored) => new Outdated(stored),
});

/** Builds the write that corrects the count and adds one, unless the count has changed since `stored` was read. */
const buildRecountWrite = (owner: string, activeCount: number, stored: Row | undefined): Write => ({
  Update: {
    Key: toApiKeyCountKey(owner),
    UpdateExpression: 'SET living = :living ADD revision :one',
    ConditionExpression: stored ? 'revision = :was' : 'attribute_not_exists(pk)',
    ExpressionAttributeValues: { ':living': activeCount + 1, ':one': 1, ...(stored && { ':was': stored.revision }) },
  },
  toError: (now) => new Outdated(now),
});

/**
 * Builds the write that counts a replacement, since the old key may stay active for a grace period. A missing count
 * starts at the limit, so that the next new key corrects it.
 */
const buildReplacementCountWrite = (owner: string): Write => ({
  Update: {
    Key: toApiKeyCountKey(owner),
    UpdateExpression: 'SET living = if_not_exists(living, :max) + :one ADD revision :one',
    ExpressionAttributeValues: { ':one': 1, ':max': maxActiveKeys },
  },
});

/**
 * Stores a new key, in one transaction with the extra writes. One round trip, two more if the count must be corrected.
 * Throws Conflict if the user has 100 active keys, or after five conflicting writes.
 */
export async function insert(key: StoredApiKey, extraWrites: Write[]): Promise<void> {
  const { owner } = key;
  let count = buildCountWrite(owner);
  const attempt = async () => {
    try {
      await write(...buildInsertWrites(key), count, ...extraWrites);
    } catch (error) {
      if (error instanceof Outdated) {
        const { stored } = error;
        const hasRoom = stored && Number(stored.living) < maxActiveKeys;
        count = hasRoom ? buildCountWrite(owner) : buildRecountWrite(owner, await checkLimit(owner), stored);
      }
      throw error;
    }
  };
  await retryOnConflict(attempt, 'Too many other requests are creating API keys: try again');
}

/** Lists the keys of a user, newest first. Two round trips for up to 100 keys, one without keys. */
export async function list(owner: string): Promise<StoredApiKey[]> {
  const keys = (await listRows(owner)).map(({ hash }) => toApiKeyKey(String(hash)));
  const rows = await getAll(keys);
  return rows.map(fromRow).toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

/** Looks up the table key of a user's API key by its id. One round trip. Throws NotFound. */
async function getTableKey(owner: string, id: string, loc: [string, string]): Promise<Key> {
  const listEntry = await get(toApiKeyListKey(owner, id));
  if (!listEntry) throw notFound(...loc);
  return toApiKeyKey(String(listEntry.hash));
}

/** Deletes a key, in one transaction with the extra writes. Two round trips. Throws NotFound. */
export async function remove(owner: string, id: string, extraWrites: Write[]): Promise<void> {
  const tableKey = await getTableKey(owner, id, ['path', 'api_key_id']);
  await write(
    {
      Delete: { Key: toApiKeyListKey(owner, id), ConditionExpression: 'attribute_exists(pk)' },
      toError: () => notFound('path', 'api_key_id'),
    },
    { Delete: { Key: tableKey } },
    ...extraWrites,
  );
}

/**
 * Replaces a key with the one that `createReplacement` returns. The old key expires after the grace period. Four round
 * trips. Throws NotFound, errors of `createReplacement`, or Conflict if another request has just replaced the key.
 */
export async function rotate(
  owner: string,
  id: string,
  graceSeconds: number,
  createReplacement: (old: StoredApiKey) => { key: StoredApiKey; extraWrites: Write[] },
): Promise<StoredApiKey> {
  const toGoneError = () => notFound('body', 'id');
  await checkLimit(owner, Number.POSITIVE_INFINITY);
  const tableKey = await getTableKey(owner, id, ['body', 'id']);
  const row = await get(tableKey);
  if (!row) throw toGoneError();
  const old = fromRow(row);
  const { key, extraWrites } = createReplacement(old);
  const end = toGraceEnd(old, graceSeconds);
  const ttl = toTtl(end).expires_at;
  await write(
    {
      Update: {
        Key: tableKey,
        UpdateExpression: 'SET valid_until = :end, replaced_by = :by, expires_at = :ttl',
        ConditionExpression: 'replaced_by = :none',
        ExpressionAttributeValues: { ':end': end, ':by': key.id, ':none': null, ':ttl': ttl },
      },
      toError: (stored) =>
        stored ? new Conflict(['body', 'id'], 'Another request has just rotated this key') : toGoneError(),
    },
    {
      Update: {
        Key: toApiKeyListKey(owner, id),
        UpdateExpression: 'SET valid_until = :end, expires_at = :ttl',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':end': end, ':ttl': ttl },
      },
      toError: toGoneError,
    },
    ...buildInsertWrites(key),
    buildReplacementCountWrite(owner),
    ...extraWrites,
  );
  return key;
}
