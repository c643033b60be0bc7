import { firstOf } from '../domain/page.ts';
import { Conflict, NotFound } from '../errors.ts';
import type { Credential } from '../schemas/credential.ts';
import { credentialKey, credentialsOf } from './keys.ts';
import { Outdated, settled } from './races.ts';
import { get, type Item, query } from './table.ts';
import { type Write, write } from './table-writes.ts';

const fromItem = (item: Item): Credential => ({
  id: String(item.id),
  service_type: String(item.service_type),
  name: String(item.name),
  masked_key: String(item.masked_key),
  created_at: String(item.created_at),
  updated_at: String(item.updated_at),
});

/** The credentials of a user, by service and name, beyond a place (`service#name`). One round trip a megabyte read. */
export async function* list(owner: string, beyond?: string, pageSize?: number): AsyncGenerator<Credential> {
  const listing = credentialsOf(owner);
  const start = beyond === undefined ? undefined : listing.prefix + beyond;
  for await (const item of query({ ...listing, ascending: true, beyond: start, pageSize })) yield fromItem(item);
}

/** At most `limit` credentials of a service, as they are stored. One round trip. */
const ofService = (owner: string, service: string, limit: number): Promise<Item[]> =>
  firstOf(query({ ...credentialsOf(owner, service), ascending: true, pageSize: limit }), limit);

/** More than anybody has of one service: of so many, `default` is looked for by itself. */
const many = 25;

/**
 * The credential that a request without its full name means, as it is stored: the named one, else `default`, else the
 * service's only one. One round trip, two of a service with very many.
 */
async function meant(
  owner: string,
  service: string,
  name: string | null | undefined,
): Promise<Item | 'missing' | 'ambiguous'> {
  if (name) return (await get(credentialKey(owner, service, name))) ?? 'missing';
  const found = await ofService(owner, service, many);
  const [first, second] = found;
  if (!first) return 'missing';
  if (!second) return first;
  const standard = found.find((item) => item.name === 'default');
  const beyond = found.length === many ? await get(credentialKey(owner, service, 'default')) : undefined;
  return standard ?? beyond ?? 'ambiguous';
}

/** A credential and its key, encrypted. */
export interface Sealed {
  credential: Credential;
  secret: Uint8Array;
}

/** The credential that service and name mean, with its key. One round trip. */
export async function find(
  owner: string,
  service: string,
  name: string | undefined,
): Promise<Sealed | 'missing' | 'ambiguous'> {
  const item = await meant(owner, service, name);
  return typeof item === 'string' ? item : { credential: fromItem(item), secret: item.secret as Uint8Array };
}

/**
 * Creates or replaces the credential that service and name mean. `seal` is given the existing one, and says what else is
 * written; it is asked again where another writer was faster. Two round trips and those of `seal`. Throws Conflict after five lost races.
 */
export async function upsert(
  owner: string,
  service: string,
  name: string | null | undefined,
  seal: (existing: Credential | undefined) => Promise<Sealed & { also: Write[] }>,
): Promise<Credential> {
  const attempt = async () => {
    const found = await meant(owner, service, name);
    const existing = typeof found === 'string' ? undefined : fromItem(found);
    const { credential, secret, also } = await seal(existing);
    const Item = { ...credentialKey(owner, service, credential.name), ...credential, secret };
    const isSame = { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': credential.id } };
    const condition = existing ? isSame : { ...isSame, ConditionExpression: 'attribute_not_exists(pk) OR id = :id' };
    await write({ Put: { Item, ...condition }, refused: (stored) => new Outdated(stored) }, ...also);
    return credential;
  };
  return settled(attempt, 'Too many others are saving this credential: try again');
}

const manyNamed = (names: string[]) =>
  new Conflict(['query', 'name'], `Say which by ?name=, for example one of: ${names.join(', ')}`);

class AlreadyGone extends Error {}

/**
 * Deletes the named credential of a service, or its only one, and gives its id. Two round trips.
 * Throws NotFound, or Conflict that names them where there are several.
 */
export async function remove(owner: string, service: string, name: string | undefined): Promise<string> {
  const named = name ? await get(credentialKey(owner, service, name)) : undefined;
  const found = name ? [named] : await ofService(owner, service, 10);
  const [credential, ...others] = found;
  if (!credential) throw notFound();
  if (others.length > 0) throw manyNamed(found.map((one) => String(one?.name)));
  await write({
    Delete: {
      Key: credentialKey(owner, service, String(credential.name)),
      ConditionExpression: 'id = :id',
      ExpressionAttributeValues: { ':id': credential.id },
    },
    refused: (stored) => (stored ? notFound() : new AlreadyGone()),
  }).catch((error) => {
    // By another's request, or by our own, which the SDK has repeated since its answer was lost.
    if (!(error instanceof AlreadyGone)) throw error;
  });
  return String(credential.id);
}

const notFound = () => new NotFound(['path', 'service_type'], 'You have no such credential of this service');
