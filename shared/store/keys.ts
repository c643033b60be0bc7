import { createHash } from 'node:crypto';

/** Every key of the table. Names from outside are hashed first, so that none can reach into another partition. */

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

export interface Key {
  pk: string;
  sk: string;
}

/** A user's part of every key. A `sub` may be any text, and only issuer and `sub` together name a person. */
export const userKey = (issuer: string, sub: string): string => digest(`${issuer}\0${sub}`);

const user = (key: string) => `USER#${key}`;

/** All assistants of a user; the ids sort by creation. */
export const assistantsOf = (owner: string) => ({ pk: user(owner), prefix: 'ASSISTANT#' });

export const assistantKey = (owner: string, id: string): Key => ({ pk: user(owner), sk: `ASSISTANT#${id}` });

/** Marks an assistant as deleted for a day: its last calls are still being logged. */
export const deletedAssistantKey = (owner: string, id: string): Key => ({ pk: user(owner), sk: `DELETED#${id}` });

/** A user's credentials, of one service or of all; they sort by service, then by name. A service's slug has no `#`. */
export const credentialsOf = (owner: string, service?: string) => ({
  pk: user(owner),
  prefix: service === undefined ? 'CREDENTIAL#' : `CREDENTIAL#${service}#`,
});

export const credentialKey = (owner: string, service: string, name: string): Key => ({
  pk: user(owner),
  sk: `CREDENTIAL#${service}#${name}`,
});

/** The answer that was given under an `Idempotency-Key`. Keys belong to a user and a route. */
export const onceKey = (owner: string, route: string, idempotencyKey: string): Key => ({
  pk: `${user(owner)}#ONCE`,
  sk: digest(`${route}\0${idempotencyKey}`),
});
