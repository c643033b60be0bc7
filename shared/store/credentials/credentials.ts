import { takeFirst } from '../../domain/page.ts';
import { Conflict, NotFound } from '../../errors.ts';
import type { Credential } from '../../schemas/credential.ts';
import { toCredentialKey, toCredentialsPrefix } from '../table/keys.ts';
import { Outdated, retryOnConflict } from '../table/retry-on-conflict.ts';
import { get, query, type Row } from '../table/table.ts';
import { type Write, write } from '../table/writes.ts';

const fromRow = (row: Row): Credential => ({
  id: String(row.id),
  service_type: String(row.service_type),
  name: String(row.name),
  masked_key: String(row.masked_key),
  created_at: String(row.created_at),
  updated_at: String(row.updated_at),
});

/**
 * Lists the credentials of a user by service and name, starting after `service#name`. One round trip per megabyte read.
 */
export async function* list(owner: string, after?: string, pageSize?: number): AsyncGenerator<Credential> {
  const listing = toCredentialsPrefix(owner);
  const start = after === undefined ? undefined : listing.prefix + after;
  for await (const row of query({ ...listing, ascending: true, after: start, pageSize })) yield fromRow(row);
}

/** Lists up to `limit` rows of a service. One round trip. */
const listByService = (owner: string, service: string, limit: number): Promise<Row[]> =>
  takeFirst(query({ ...toCredentialsPrefix(owner, service), ascending: true, pageSize: limit }), limit);

/** Number of credentials of a service that are searched for `default`. A service with more needs another lookup. */
const lookupLimit = 25;

/**
 * Finds the row of a credential: the named one, or without a name `default`, or the only one of the service. One round
 * trip, two for a service with 25 or more.
 */
async function findMatch(
  owner: string,
  service: string,
  name: string | null | undefined,
): Promise<Row | 'missing' | 'ambiguous'> {
  if (name) return (await get(toCredentialKey(owner, service, name))) ?? 'missing';
  const found = await listByService(owner, service, lookupLimit);
  const [first, second] = found;
  if (!first) return 'missing';
  if (!second) return first;
  const defaultCredential = found.find((item) => item.name === 'default');
  const defaultBeyondLimit =
    found.length === lookupLimit ? await get(toCredentialKey(owner, service, 'default')) : undefined;
  return defaultCredential ?? defaultBeyondLimit ?? 'ambiguous';
}

/** A credential and its encrypted key. */
export interface EncryptedCredential {
  credential: Credential;
  secret: Uint8Array;
}

/** Finds a credential by service and optional name, with its encrypted key. One round trip. */
export async function find(
  owner: string,
  service: string,
  name: string | undefined,
): Promise<EncryptedCredential | 'missing' | 'ambiguous'> {
  const row = await findMatch(owner, service, name);
  return typeof row === 'string' ? row : { credential: fromRow(row), secret: row.secret as Uint8Array };
}

/**
 * Creates or replaces the credential of a service and optional name. `buildCredential` gets the existing one, and runs
 * again on a concurrent update. Two round trips, plus those of `buildCredential`. Throws Conflict after five
 * conflicting writes.
 */
export async function upsert(
  owner: string,
  service: string,
  name: string | null | undefined,
  buildCredential: (existing: Credential | undefined) => Promise<EncryptedCredential & { extraWrites: Write[] }>,
): Promise<Credential> {
  const attempt = async () => {
    const found = await findMatch(owner, service, name);
    const existing = typeof found === 'string' ? undefined : fromRow(found);
    const { credential, secret, extraWrites } = await buildCredential(existing);
    const Item = { ...toCredentialKey(owner, service, credential.name), ...credential, secret };
    const sameId = { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': credential.id } };
    const condition = existing ? sameId : { ...sameId, ConditionExpression: 'attribute_not_exists(pk) OR id = :id' };
    await write({ Put: { Item, ...condition }, toError: (stored) => new Outdated(stored) }, ...extraWrites);
    return credential;
  };
  return retryOnConflict(attempt, 'Too many other requests are saving this credential: try again');
}

const toAmbiguousError = (names: string[]) =>
  new Conflict(
    ['query', 'name'],
    `This service has several credentials: choose one with ?name=, for example: ${names.join(', ')}`,
  );

/**
 * Deletes the named credential of a service, or its only one, with the extra writes. Returns its id. Two round trips.
 * Throws NotFound, or a Conflict that lists the names if there are several.
 */
export async function remove(
  owner: string,
  service: string,
  name: string | undefined,
  buildExtraWrites: (credential: Credential) => Write[],
): Promise<string> {
  const named = name ? await get(toCredentialKey(owner, service, name)) : undefined;
  const found = name ? [named] : await listByService(owner, service, 10);
  const [credential, ...others] = found;
  if (!credential) throw notFound();
  if (others.length > 0) throw toAmbiguousError(found.map((one) => String(one?.name)));
  await write(
    {
      Delete: {
        Key: toCredentialKey(owner, service, String(credential.name)),
        ConditionExpression: 'id = :id',
        ExpressionAttributeValues: { ':id': credential.id },
      },
      toError: notFound,
    },
    ...buildExtraWrites(fromRow(credential)),
  );
  return String(credential.id);
}

const notFound = () => new NotFound(['path', 'service_type'], 'You have no such credential of this service');
