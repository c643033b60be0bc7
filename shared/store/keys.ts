import { hash } from 'node:crypto';

/** Every key of the table. Names from outside are hashed first, so that none can reach into another partition. */

const digest = (text: string) => hash('sha256', text, 'base64url');

export interface Key {
  pk: string;
  sk: string;
}

/** A user's part of every key. A `sub` may be any text, and only issuer and `sub` together name a person. */
export const userKey = (issuer: string, sub: string): string => digest(`${issuer}\0${sub}`);

/**
 * Kinds of a user's rows. Each has a partition of its own, which policies name (shared/route.ts). Imports write them in this
 * order, so that a row comes after those it names: a small transcript before its session, the list of API keys last.
 */
const kinds = [
  'transcripts',
  'sessions',
  'calls',
  'counts',
  'once',
  'knowledge',
  'assistants',
  'credentials',
  'keylist',
] as const;
type UserRowKind = (typeof kinds)[number];

/** Kinds of rows. API keys are found by their hash alone, so each has a partition to itself. */
export type RowKind = UserRowKind | 'keys';

const partition = (owner: string, kind: UserRowKind) => `USER#${owner}#${kind.toUpperCase()}`;

/** Returns the pattern of a kind's partition keys for a policy. It is exact: no owner has a `#`. */
export const toKeyPattern = (kind: RowKind): string => (kind === 'keys' ? 'KEY#*' : partition('*', kind));

/** Every partition of a user. Beside them there are only the rows of API keys, which `apiKeysOf` leads to. */
export const partitionsOf = (owner: string): string[] => kinds.map((kind) => partition(owner, kind));

/** The user whose partition it is; undefined of one that is nobody's. */
export const ownerOf = (pk: string): string | undefined => /^USER#([\w-]{43})(?:#|$)/.exec(pk)?.[1];

/** All assistants of a user; the ids sort by creation. */
export const assistantsOf = (owner: string) => ({ pk: partition(owner, 'assistants'), prefix: 'ASSISTANT#' });

export const assistantKey = (owner: string, id: string): Key => ({
  pk: partition(owner, 'assistants'),
  sk: `ASSISTANT#${id}`,
});

/** All knowledge bases of a user; the ids sort by creation. */
export const knowledgeBasesOf = (owner: string) => ({ pk: partition(owner, 'knowledge'), prefix: 'KB#' });

export const knowledgeBaseKey = (owner: string, id: string): Key => ({
  pk: partition(owner, 'knowledge'),
  sk: `KB#${id}`,
});

/** Marks an assistant as deleted for a day: its last calls are still being logged. */
export const deletedAssistantKey = (owner: string, id: string): Key => ({
  pk: partition(owner, 'assistants'),
  sk: `DELETED#${id}`,
});

/** A user's credentials, of one service or of all; they sort by service, then by name. A service's slug has no `#`. */
export const credentialsOf = (owner: string, service?: string) => ({
  pk: partition(owner, 'credentials'),
  prefix: service === undefined ? 'CREDENTIAL#' : `CREDENTIAL#${service}#`,
});

export const credentialKey = (owner: string, service: string, name: string): Key => ({
  pk: partition(owner, 'credentials'),
  sk: `CREDENTIAL#${service}#${name}`,
});

/** A user's sessions, newest last; of one assistant or of one room by an index. Between two ids, both included. */
export function sessionsOf(
  owner: string,
  of: { assistant_id?: string; room_name?: string },
  first: string,
  last: string,
) {
  const range: [string, string] = [first, last];
  const pk = partition(owner, 'sessions');
  if (of.room_name !== undefined) return { pk, range, index: { name: 'by-room', value: roomKey(owner, of.room_name) } };
  if (of.assistant_id !== undefined) {
    return { pk, range, index: { name: 'by-assistant', value: assistantSessionsKey(owner, of.assistant_id) } };
  }
  return { pk, range };
}

export const sessionKey = (owner: string, id: string): Key => ({ pk: partition(owner, 'sessions'), sk: id });

/** What a session is found by in the indexes, each an attribute of the index's name. */
export const roomKey = (owner: string, room: string): string => `USER#${owner}#ROOM#${digest(room)}`;
export const assistantSessionsKey = (owner: string, id: string): string => `USER#${owner}#ASSISTANT#${id}`;

/** A transcript that is small enough for the table. */
export const transcriptKey = (owner: string, id: string): Key => ({
  pk: partition(owner, 'transcripts'),
  sk: id,
});

/** How far a call has been told, by what tells it from others: a row for each of its tellings, which differ. */
export const tellingsOf = (owner: string, identity: string) => ({
  pk: partition(owner, 'calls'),
  prefix: `${digest(identity)}#`,
});

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** How many sessions a user has, of each day (UTC) on which some were made; since a moment in milliseconds since 1970. */
export const countsOf = (owner: string, since: number) => ({
  pk: partition(owner, 'counts'),
  range: [`COUNTS#${dateOf(since)}`, 'COUNTS#~'] as [string, string],
});

export const countKey = (owner: string, madeAt: number): Key => ({
  pk: partition(owner, 'counts'),
  sk: `COUNTS#${dateOf(madeAt)}`,
});

/** An API key, by the hash of its secret: whoever sends it says nothing else. */
export const apiKeyKey = (hash: string): Key => ({ pk: `KEY#${hash}`, sk: 'KEY' });

/** The API keys of a user; the ids sort by creation. */
export const apiKeysOf = (owner: string) => ({ pk: partition(owner, 'keylist'), prefix: 'APIKEY#' });

export const apiKeyOfUser = (owner: string, id: string): Key => ({
  pk: partition(owner, 'keylist'),
  sk: `APIKEY#${id}`,
});

/** Count of the living API keys of a user. */
export const apiKeyCountKey = (owner: string): Key => ({ pk: partition(owner, 'keylist'), sk: 'COUNT' });

/** The answer that was given under an `Idempotency-Key`. Keys belong to a user and a route. */
export const onceKey = (owner: string, route: string, idempotencyKey: string): Key => ({
  pk: partition(owner, 'once'),
  sk: digest(`${route}\0${idempotencyKey}`),
});
