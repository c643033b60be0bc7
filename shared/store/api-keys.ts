import { endAfter, hasExpired, type StoredKey, secretFor } from '../domain/api-key.ts';
import { firstOf } from '../domain/page.ts';
import { env } from '../env.ts';
import { Conflict, NotFound } from '../errors.ts';
import { fromItem } from './api-key-use.ts';
import { apiKeyKey, apiKeyOfUser, apiKeysOf, type Key } from './keys.ts';
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

/** Throws Conflict where a user has too many keys for one more. One round trip. */
async function demandRoom(owner: string, most = maxKeys): Promise<void> {
  const rows = await listed(owner);
  if (rows.filter(lives).length < most && rows.length < maxRows) return;
  throw new Conflict(['service'], `You have ${maxKeys} API keys: revoke one that you do not need`);
}

/** Stores a new key, together with what else must be written. Two round trips. Throws Conflict where there are 100. */
export async function insert(key: StoredKey, also: Write[]): Promise<void> {
  await demandRoom(key.owner);
  await write(...insertions(key), ...also);
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
    ...also,
  );
  return key;
}
