import type { SigningKey } from '../../domain/signature.ts';
import { decrypt, encrypt } from '../secrets.ts';
import type { Sealed } from './webhooks.ts';

const seal = (owner: string, id: string, content: unknown): Promise<Uint8Array> =>
  encrypt(JSON.stringify(content), { user: owner, webhook: id });

/** Thrown if a webhook's secret cannot be decrypted: its row was copied from another user or key. */
export class Undecryptable extends Error {}

async function open<T>(owner: string, id: string, sealed: Uint8Array): Promise<T> {
  const content = await decrypt(sealed, { user: owner, webhook: id });
  if (content === undefined) throw new Undecryptable();
  return JSON.parse(content);
}

/** Encrypts the signing keys of a webhook. One KMS round trip. */
export const sealKeys = (owner: string, id: string, keys: SigningKey[]): Promise<Uint8Array> => seal(owner, id, keys);

/** Encrypts the extra headers of a webhook. Undefined if it has none. One KMS round trip. */
export const sealHeaders = async (
  owner: string,
  id: string,
  headers: Record<string, string>,
): Promise<Uint8Array | undefined> => (Object.keys(headers).length > 0 ? seal(owner, id, headers) : undefined);

/** Decrypts the signing keys of a webhook. One KMS round trip. Throws Undecryptable or Unavailable. */
export const openKeys = (owner: string, id: string, { signing_keys }: Sealed): Promise<SigningKey[]> =>
  open(owner, id, signing_keys);

/** Decrypts the signing keys of a webhook, or returns none if they cannot be decrypted, so that others can replace them. */
export const openReadableKeys = (owner: string, id: string, sealed: Sealed): Promise<SigningKey[]> =>
  openKeys(owner, id, sealed).catch((error) => {
    if (error instanceof Undecryptable) return [];
    throw error;
  });

/** Decrypts the extra headers of a webhook. One KMS round trip if it has any. Throws Undecryptable or Unavailable. */
export const openHeaders = async (
  owner: string,
  id: string,
  { sealed_headers }: Sealed,
): Promise<Record<string, string>> => (sealed_headers ? open(owner, id, sealed_headers) : {});
