import { endAfter, hasExpired, type StoredKey, secretFor } from '../domain/api-key.ts';
import { firstOf } from '../domain/page.ts';
import { env } from '../env.ts';
import { Conflict, NotFound } from '../errors.ts';
import { fromItem } from './api-key-use.ts';
import { apiKeyCountKey, apiKeyKey, apiKeyOfUser, apiKeysOf, type Key } from './keys.ts';
import { Outdated, settled } from './races.ts';
import { day, get, getAll, type Item, query } from './table.ts';
import { type Write, write } from './table-writes.ts';

const notFound = (...loc: string[]) => new NotFound(loc, 'You have no API key with this id');

const environment = env('ENVIRONMENT');

/** A new secret, of this environment. */
export const newSecret = (): string => secretFor(environment);

/** How many living keys a user may have, and how many rows of them: replaced and expired ones stay for a month. */
const maxKeys = 100;
const maxRows = 1_000;

/** For how long an expired key stays listed, in seconds. */
const afterlife = 30 * day;

const ttlOf = (validUntil: string | null) =>
  validUntil === null ? {} : { expires_at: Math.floor(Date.parse(validUntil) / 1000) + afterlife };

/** A key lies under its hash, by which requests find it; its user's list has only the way to it. */
function insertions({ expires_at, ...key }: StoredKey): [Write, Write] {
  const lifetime = ttlOf(expires_at);
  const found = { ...apiKeyKey(key.hash), ...key, valid_until: expires_at, ...lifetime };
  const listed = { ...apiKeyOfUser(key.owner, key.id), hash: key.hash, valid_until: expires_at, ...lifetime };
  return [{ Put: { Item: found } }, { Put: { Item: listed } }];
}

/** The rows of a user's keys, all of them: one that lives must never drop out of sight. */
const listed = (owner: string): Promise<Item[]> => firstOf(query(apiKeysOf(owner)), Number.POSITIVE_INFINITY);

const lives = (row: Item) => !hasExpired({ expires_at: (row.valid_until as string | null) ?? null });

/** Returns how many keys of a user live. Throws Conflict where there are too many for one more. One round trip. */
async function demandRoom(owner: string, most = maxKeys): Promise<number> {
  const rows = await listed(owner);
  const living = rows.filter(lives).length;
  if (living < most && rows.length < maxRows) return living;
  throw new Conflict(['service'], `You have ${maxKeys} API keys: revoke one that you do not need`);
}

/**
 * Counts one more living key, unless the limit is met. The count is an upper bound: keys that are revoked or expire leave it as it
 * is, until it meets the limit and is set right.
 */
const counted = (owner: string): Write => ({
  Update: {
    Key: apiKeyCountKey(owner),
    UpdateExpression: 'SET living = living + :one ADD revision :one',
    ConditionExpression: 'living < :max',
    ExpressionAttributeValues: { ':one': 1, ':max': maxKeys },
  },
  refused: (stored) => new Outdated(stored),
});

/** Sets the count right, with one more key, where nobody has counted since `stored` was read. */
const recounted = (owner: string, living: number, stored: Item | undefined): Write => ({
  Update: {
    Key: apiKeyCountKey(owner),
    UpdateExpression: 'SET living = :living ADD revision :one',
    ConditionExpression: stored ? 'revision = :was' : 'attribute_not_exists(pk)',
    ExpressionAttributeValues: { ':living': living + 1, ':one': 1, ...(stored && { ':was': stored.revision }) },
  },
  refused: (now) => new Outdated(now),
});

/** Counts a key that replaces another, which may live on for a grace. A count that is missing becomes too high, and so set right. */
const replacementCounted = (owner: string): Write => ({
  Update: {
    Key: apiKeyCountKey(owner),
    UpdateExpression: 'SET living = if_not_exists(living, :max) + :one ADD revision :one',
    ExpressionAttributeValues: { ':one': 1, ':max': maxKeys },
  },
});

/**
 * Stores a new key, together with what else must be written. One round trip, and two more where the count has to be set right.
 * Throws Conflict where 100 live, or after five lost races.
 */
export async function insert(key: StoredKey, also: Write[]): Promise<void> {
  const { owner } = key;
  let count = counted(owner);
  const attempt = async () => {
    try {
      await write(...insertions(key), count, ...also);
    } catch (error) {
      if (error instanceof Outdated) {
        const { stored } = error;
        const hasRoom = stored && Number(stored.living) < maxKeys;
        count = hasRoom ? counted(owner) : recounted(owner, await demandRoom(owner), stored);
      }
      throw error;
    }
  };
  await settled(attempt, 'Too many others are making API keys: try again');
}

/** The keys of a user, newest first. Two round trips, one where there are none, more beyond a hundred. */
export async function list(owner: string): Promise<StoredKey[]> {
  const keys = (await listed(owner)).map(({ hash }) => apiKeyKey(String(hash)));
  const items = await getAll(keys);
  return items.map(fromItem).toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

/** The place of a user's key, found by its id in one round trip. */
async function placeOf(owner: string, id: string, loc: [string, string]): Promise<Key> {
  const found = await get(apiKeyOfUser(owner, id));
  if (!found) throw notFound(...loc);
  return apiKeyKey(String(found.hash));
}

/** Revokes a key. Two round trips. Throws NotFound. */
export async function remove(owner: string, id: string): Promise<void> {
  const place = await placeOf(owner, id, ['path', 'api_key_id']);
  await write(
    {
      Delete: { Key: apiKeyOfUser(owner, id), ConditionExpression: 'attribute_exists(pk)' },
      refused: () => notFound('path', 'api_key_id'),
    },
    { Delete: { Key: place } },
  );
}

/**
 * Replaces a key by the one that `replacement` makes of it; the old one ends after the grace. Four round trips.
 * Throws NotFound, what `replacement` throws, or Conflict where it was replaced meanwhile.
 */
export async function rotate(
  owner: string,
  id: string,
  graceSeconds: number,
  replacement: (old: StoredKey) => { key: StoredKey; also: Write[] },
): Promise<StoredKey> {
  const gone = () => notFound('body', 'id');
  await demandRoom(owner, Number.POSITIVE_INFINITY);
  const place = await placeOf(owner, id, ['body', 'id']);
  const item = await get(place);
  if (!item) throw gone();
  const old = fromItem(item);
  const { key, also } = replacement(old);
  const end = endAfter(old, graceSeconds);
  const ttl = ttlOf(end).expires_at;
  await write(
    {
      Update: {
        Key: place,
        UpdateExpression: 'SET valid_until = :end, replaced_by = :by, expires_at = :ttl',
        ConditionExpression: 'replaced_by = :none',
        ExpressionAttributeValues: { ':end': end, ':by': key.id, ':none': null, ':ttl': ttl },
      },
      refused: (stored) =>
        stored ? new Conflict(['body', 'id'], 'Another request has just rotated this key') : gone(),
    },
    {
      Update: {
        Key: apiKeyOfUser(owner, id),
        UpdateExpression: 'SET valid_until = :end, expires_at = :ttl',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':end': end, ':ttl': ttl },
      },
      refused: gone,
    },
    ...insertions(key),
    replacementCounted(owner),
    ...also,
  );
  return key;
}
