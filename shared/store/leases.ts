import type { Reason, Want } from '../domain/wanted-credential.ts';
import type { Credential } from '../schemas/credential.ts';
import * as credentials from './credentials.ts';
import { decrypt } from './secrets.ts';

/** A credential with its key in plain text. */
export interface Opened {
  credential: Credential;
  api_key: string;
}

/** Asks about equal questions once: the voice and the language model may be one vendor's. */
function asking<Question, Answer>(
  nameOf: (question: Question) => string,
  ask: (question: Question) => Promise<Answer>,
) {
  const asked = new Map<string, Promise<Answer>>();
  return (question: Question): Promise<Answer> => {
    const name = nameOf(question);
    const answer = asked.get(name) ?? ask(question);
    asked.set(name, answer);
    return answer;
  };
}

/** The credentials that are wanted, their keys encrypted. One round trip for each different one, all at once. */
export function find(owner: string, wants: (Want | Reason)[]): Promise<(credentials.Sealed | Reason)[]> {
  const found = asking<Want, credentials.Sealed | Reason>(
    ({ service, name }) => JSON.stringify([service, name]),
    ({ service, name }) => credentials.find(owner, service, name),
  );
  return Promise.all(wants.map(async (want) => (typeof want === 'string' ? want : found(want))));
}

/** The same with their keys decrypted. One round trip to KMS for each different one, all at once. */
export function open(owner: string, found: (credentials.Sealed | Reason)[]): Promise<(Opened | Reason)[]> {
  const opened = asking<credentials.Sealed, Opened | Reason>(
    ({ credential }) => credential.id,
    async ({ credential, secret }) => {
      const { service_type: service, name } = credential;
      const api_key = await decrypt(secret, { user: owner, service, name });
      return api_key === undefined ? 'undecryptable' : { credential, api_key };
    },
  );
  return Promise.all(found.map(async (one) => (typeof one === 'string' ? one : opened(one))));
}
