import type { CredentialLookup, LookupFailure } from '../../domain/credential-lookup.ts';
import type { Credential } from '../../schemas/credential.ts';
import { decrypt } from '../secrets.ts';
import * as credentials from './credentials.ts';

/** A credential with its key in plain text. */
export interface DecryptedCredential {
  credential: Credential;
  api_key: string;
}

/** Loads equal inputs once: voice and language model may use the same vendor. */
function memoize<Input, Output>(toKey: (question: Input) => string, load: (question: Input) => Promise<Output>) {
  const pending = new Map<string, Promise<Output>>();
  return (input: Input): Promise<Output> => {
    const key = toKey(input);
    const result = pending.get(key) ?? load(input);
    pending.set(key, result);
    return result;
  };
}

/** Finds credentials with their encrypted keys. One concurrent round trip per distinct lookup. */
export function findCredentials(
  owner: string,
  lookups: (CredentialLookup | LookupFailure)[],
): Promise<(credentials.EncryptedCredential | LookupFailure)[]> {
  const findOnce = memoize<CredentialLookup, credentials.EncryptedCredential | LookupFailure>(
    ({ service, name }) => JSON.stringify([service, name]),
    ({ service, name }) => credentials.find(owner, service, name),
  );
  return Promise.all(lookups.map(async (lookup) => (typeof lookup === 'string' ? lookup : findOnce(lookup))));
}

/** Decrypts the keys of credentials. One concurrent KMS round trip per distinct credential. */
export function decryptCredentials(
  owner: string,
  found: (credentials.EncryptedCredential | LookupFailure)[],
): Promise<(DecryptedCredential | LookupFailure)[]> {
  const decryptOnce = memoize<credentials.EncryptedCredential, DecryptedCredential | LookupFailure>(
    ({ credential }) => credential.id,
    async ({ credential, secret }) => {
      const { service_type: service, name } = credential;
      const api_key = await decrypt(secret, { user: owner, service, name });
      return api_key === undefined ? 'undecryptable' : { credential, api_key };
    },
  );
  return Promise.all(found.map(async (one) => (typeof one === 'string' ? one : decryptOnce(one))));
}
