import { firstOf } from '../domain/page.ts';
import { Conflict, NotFound } from '../errors.ts';
import type { Credential } from '../schemas/credential.ts';
import { credentialKey, credentialsOf } from './keys.ts';
import { Outdated, settled } from './races.ts';
import { get, type Item, query, type Write, write } from './table.ts';

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

/** At most `limit` credentials of a service. One round trip. */
async function ofService(owner: string, service: string, limit: number): Promise<Credential[]> {
  const items = query({ ...credentialsOf(owner, service), ascending: true, pageSize: limit });
  return (await firstOf(items, limit)).map(fromItem);
}

/** The credential that a request without its full name means: the named one, else the service's only one, else `default`. */
async function meant(owner: string, service: string, name: string | null | undefined): Promise<Credential | undefined> {
  if (name) {
    const item = await get(credentialKey(owner, service, name));
    return item && fromItem(item);
  }
  const [first, second] = await ofService(owner, service, 2);
  if (!second) return first;
  return meant(owner, service, 'default');
}

/** A credential with its encrypted key, and what else is written with it. */
export interface Sealed {
  credential: Credential;
  secret: Uint8Array;
  also: Write[];
}

/**
 * Creates or replaces the credential that service and name mean. `seal` is given the existing one, and asked again where
 * another writer was faster. Two round trips and those of `seal`. Throws Conflict after five lost races.
 */
export async function upsert(
  owner: string,
  service: string,
  name: string | null | undefined,
  seal: (existing: Credential | undefined) => Promise<Sealed>,
): Promise<Credential> {
  const attempt = async () => {
    const existing = await meant(owner, service, name);
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

/**
 * Deletes the named credential of a service, or its only one, and gives its id. Two round trips.
 * Throws NotFound, or Conflict that names them where there are several.
 */
export async function remove(owner: string, service: string, name: string | undefined): Promise<string> {
  const found = name ? [await meant(owner, service, name)] : await ofService(owner, service, 10);
  const [credential, ...others] = found;
  if (!credential) throw notFound();
  if (others.length > 0) throw manyNamed(found.map((one) => one?.name ?? ''));
  await write({
    Delete: {
      Key: credentialKey(owner, service, credential.name),
      ConditionExpression: 'id = :id',
      ExpressionAttributeValues: { ':id': credential.id },
    },
    refused: notFound,
  });
  return credential.id;
}

const notFound = () => new NotFound(['path', 'service_type'], 'You have no such credential of this service');
