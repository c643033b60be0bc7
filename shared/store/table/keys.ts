import { hash } from 'node:crypto';
import { getIdTime, isUuid, toIdBound } from '../../domain/time-id.ts';

/** All keys of the table. Names from clients are hashed, so that no name can reach into another partition. */

const digest = (text: string) => hash('sha256', text, 'base64url');

export interface Key {
  pk: string;
  sk: string;
}

/** A row that was added to the table. */
export interface NewRow {
  key: Key;
  /** Time at which it was added, in milliseconds since 1970. */
  addedAt: number;
}

/**
 * Returns the owner part of a user's keys. Hashed, since a `sub` may be any text, and unique only together with its
 * issuer.
 */
export const toUserKey = (issuer: string, sub: string): string => digest(`${issuer}\0${sub}`);

/**
 * Returns the owner part of a workspace's keys. It equals no user's: the hashed text is JSON, which has no NUL, and a user's has
 * one.
 */
export const toWorkspaceKey = (issuer: string, id: string): string => digest(JSON.stringify(['workspace', issuer, id]));

/**
 * Kinds of a user's rows. Each kind has its own partition, so that IAM policies can name it (shared/route.ts). Imports
 * write in this order, so that a row follows those that it refers to: a small transcript before its session, the list
 * of API keys before jobs, which end without it.
 */
const userRowKinds = [
  'transcripts',
  'sessions',
  'calls',
  'counts',
  'usage',
  'once',
  'knowledge',
  'versions',
  'assistants',
  'credentials',
  'keylist',
  'jobs',
  'events',
  'unsent',
  'webhooks',
  'deliveries',
  'quotas',
] as const;
type UserRowKind = (typeof userRowKinds)[number];

/** Kinds of rows. API keys are looked up by their hash alone, so each key has its own partition. */
export type RowKind = UserRowKind | 'keys';

const toPartition = (owner: string, kind: UserRowKind) => `USER#${owner}#${kind.toUpperCase()}`;

/**
 * Returns the pattern of a kind's partition keys for an IAM policy. It matches no other kind, since an owner has no
 * `#`.
 */
export const toKeyPattern = (kind: RowKind): string => (kind === 'keys' ? 'KEY#*' : toPartition('*', kind));

/**
 * Lists all partitions of a user. The only rows elsewhere are those of API keys; their hashes are in
 * `toApiKeyListPrefix`.
 */
export const listPartitions = (owner: string): string[] => userRowKinds.map((kind) => toPartition(owner, kind));

/** Returns the owner of a partition, if it has one. */
export const findOwner = (pk: string): string | undefined => /^USER#([\w-]{43})(?:#|$)/.exec(pk)?.[1];

/**
 * Returns the owner of a partition of one kind. Undefined for other partitions. Look at it before you trust a sort key or an attribute: a
 * function may write only some kinds of rows, but whatever it wants in these.
 */
function findOwnerOf(kind: UserRowKind, pk: string): string | undefined {
  const owner = findOwner(pk);
  return owner !== undefined && pk === toPartition(owner, kind) ? owner : undefined;
}

/** Returns the range of all assistants of a user. Their ids sort by creation. */
export const toAssistantsPrefix = (owner: string) => ({ pk: toPartition(owner, 'assistants'), prefix: 'ASSISTANT#' });

export const toAssistantKey = (owner: string, id: string): Key => ({
  pk: toPartition(owner, 'assistants'),
  sk: `ASSISTANT#${id}`,
});

/** Returns the range of the versions of an assistant, or of all of a user. They sort by assistant, then by number. */
export const toVersionsPrefix = (owner: string, assistantId?: string) => ({
  pk: toPartition(owner, 'versions'),
  prefix: assistantId === undefined ? 'VERSION#' : `VERSION#${assistantId}#`,
});

export const toVersionKey = (owner: string, assistantId: string, version: number): Key => ({
  pk: toPartition(owner, 'versions'),
  sk: `VERSION#${assistantId}#${String(version).padStart(6, '0')}`,
});

/** Returns the key of the marker that the versions of a deleted assistant are still to be deleted. */
export const toVersionsDeletionKey = (owner: string, assistantId: string): Key => ({
  pk: toPartition(owner, 'versions'),
  sk: `DELETION#${assistantId}`,
});

/** Returns the range of all knowledge bases of a user. Their ids sort by creation. */
export const toKnowledgeBasesPrefix = (owner: string) => ({ pk: toPartition(owner, 'knowledge'), prefix: 'KB#' });

export const toKnowledgeBaseKey = (owner: string, id: string): Key => ({
  pk: toPartition(owner, 'knowledge'),
  sk: `KB#${id}`,
});

/** Returns the key of the marker that allows logging the last calls of a deleted assistant for a day. */
export const toDeletedAssistantKey = (owner: string, id: string): Key => ({
  pk: toPartition(owner, 'assistants'),
  sk: `DELETED#${id}`,
});

/**
 * Returns the range of a user's credentials, of one service or of all. They sort by service, then by name. A service
 * has no `#`.
 */
export const toCredentialsPrefix = (owner: string, service?: string) => ({
  pk: toPartition(owner, 'credentials'),
  prefix: service === undefined ? 'CREDENTIAL#' : `CREDENTIAL#${service}#`,
});

export const toCredentialKey = (owner: string, service: string, name: string): Key => ({
  pk: toPartition(owner, 'credentials'),
  sk: `CREDENTIAL#${service}#${name}`,
});

/**
 * Returns the range of a user's sessions between two ids, inclusive, oldest first. Filters by room or assistant with an
 * index.
 */
export function toSessionsRange(
  owner: string,
  filter: { assistant_id?: string; room_name?: string },
  first: string,
  last: string,
) {
  const range: [string, string] = [first, last];
  const pk = toPartition(owner, 'sessions');
  if (filter.room_name !== undefined)
    return { pk, range, index: { name: 'by-room', value: toRoomKey(owner, filter.room_name) } };
  if (filter.assistant_id !== undefined) {
    return { pk, range, index: { name: 'by-assistant', value: toAssistantSessionsKey(owner, filter.assistant_id) } };
  }
  return { pk, range };
}

export const toSessionKey = (owner: string, id: string): Key => ({ pk: toPartition(owner, 'sessions'), sk: id });

/** Partition keys of the indexes. Each is stored in the attribute that has the name of its index. */
export const toRoomKey = (owner: string, room: string): string => `USER#${owner}#ROOM#${digest(room)}`;
export const toAssistantSessionsKey = (owner: string, id: string): string => `USER#${owner}#ASSISTANT#${id}`;

/** Returns the key of a transcript that is small enough for the table. */
export const toTranscriptKey = (owner: string, id: string): Key => ({
  pk: toPartition(owner, 'transcripts'),
  sk: id,
});

/** Returns the range of the saved versions of a call, by its identity. Each version has a row. */
export const toCallVersionsPrefix = (owner: string, identity: string) => ({
  pk: toPartition(owner, 'calls'),
  prefix: `${digest(identity)}#`,
});

const toDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/**
 * Returns one of four shards, by the last digit of a session id, which is random. A day's rows of a user are split so that calls that
 * end at the same time seldom write the same row.
 */
const toShard = (sessionId: string) => String(Number.parseInt(sessionId.slice(-1), 16) % 4);

/** Returns the range of the daily session counts (UTC) of a user, from a time in milliseconds since 1970. */
export const toCountsRange = (owner: string, since: number) => ({
  pk: toPartition(owner, 'counts'),
  range: [`COUNTS#${toDate(since)}`, 'COUNTS#~'] as [string, string],
});

/** Returns the key of a day's session count, to which a session belongs. */
export const toCountKey = (owner: string, sessionId: string): Key => ({
  pk: toPartition(owner, 'counts'),
  sk: `COUNTS#${toDate(getIdTime(sessionId))}#${toShard(sessionId)}`,
});

/** Returns the keys of the usage rows to which a call adds: its day, and its day for the version of its assistant. */
export function toUsageKeys(
  owner: string,
  { session_id, assistant_id, version }: { session_id: string; assistant_id: string; version: number },
): [day: Key, version: Key] {
  const pk = toPartition(owner, 'usage');
  const [day, shard] = [toDate(getIdTime(session_id)), toShard(session_id)];
  return [
    { pk, sk: `DAY#${day}#${shard}` },
    { pk, sk: `ASSISTANT#${day}#${assistant_id}#${version}#${shard}` },
  ];
}

/** Parses the sort key of a usage row. */
export function parseUsageKey(sk: string): { day: string; assistant_id?: string; version?: number } {
  const [kind, day = '', assistant_id = '', version] = sk.split('#');
  return kind === 'DAY' ? { day } : { day, assistant_id, version: Number(version) };
}

/** Returns the range of the usage between two days, in all or by assistant and version. */
export function toUsageRange(owner: string, { from, to }: { from: string; to: string }, isByAssistant: boolean) {
  const prefix = isByAssistant ? 'ASSISTANT#' : 'DAY#';
  return { pk: toPartition(owner, 'usage'), range: [`${prefix}${from}`, `${prefix}${to}#~`] as [string, string] };
}

/** Returns the key of a user's prices. */
export const toPricesKey = (owner: string): Key => ({ pk: toPartition(owner, 'usage'), sk: 'PRICES' });

/** Returns the key of the counts of a day (UTC) that limits apply to, by any time in it, in milliseconds since 1970. */
export const toQuotaCountsKey = (owner: string, ms: number): Key => ({
  pk: toPartition(owner, 'quotas'),
  sk: `DAY#${toDate(ms)}`,
});

/** Returns the key of an API key, by the hash of its secret: requests contain nothing else. */
export const toApiKeyKey = (hash: string): Key => ({ pk: `KEY#${hash}`, sk: 'KEY' });

/** Returns the range of a user's list of API keys. Their ids sort by creation. */
export const toApiKeyListPrefix = (owner: string) => ({ pk: toPartition(owner, 'keylist'), prefix: 'APIKEY#' });

export const toApiKeyListKey = (owner: string, id: string): Key => ({
  pk: toPartition(owner, 'keylist'),
  sk: `APIKEY#${id}`,
});

/** Returns the key of the count of a user's active API keys. */
export const toApiKeyCountKey = (owner: string): Key => ({ pk: toPartition(owner, 'keylist'), sk: 'COUNT' });

/** Returns the range of a user's events between two times, in milliseconds since 1970. */
export const toEventsRange = (owner: string, from: number, to: number) => ({
  pk: toPartition(owner, 'events'),
  range: [`EVENT#${toIdBound(from, '0')}`, `EVENT#${toIdBound(to, 'f')}`] as [string, string],
});

export const toEventKey = (owner: string, id: string): Key => ({
  pk: toPartition(owner, 'events'),
  sk: `EVENT#${id}`,
});

/** True for the key of an event. */
export const isEventKey = ({ pk, sk }: Key): boolean =>
  findOwnerOf('events', pk) !== undefined && sk.startsWith('EVENT#') && isUuid(sk.slice('EVENT#'.length));

export const toJobKey = (owner: string, id: string): Key => ({ pk: toPartition(owner, 'jobs'), sk: `JOB#${id}` });

/** Parses the key of a row among the jobs: one of a job, or of a turn of one. Undefined for rows elsewhere. */
export function parseJobKey({ pk, sk }: Key): { owner: string; id: string } | undefined {
  const owner = findOwnerOf('jobs', pk);
  return owner === undefined ? undefined : { owner, id: sk.split('#')[1] ?? '' };
}

/** Returns the key of a row that asks for another turn of a job. */
export const toJobTurnKey = (owner: string, jobId: string, id: string): Key => ({
  pk: toPartition(owner, 'jobs'),
  sk: `TURN#${jobId}#${id}`,
});

/** Returns the key of an event that could not be sent. */
export const toUnsentEventKey = (owner: string, id: string): Key => ({
  pk: toPartition(owner, 'unsent'),
  sk: `UNSENT#${id}`,
});

/** Returns the range of all webhooks of a user. Their ids sort by creation. */
export const toWebhooksPrefix = (owner: string) => ({ pk: toPartition(owner, 'webhooks'), prefix: 'WEBHOOK#' });

export const toWebhookKey = (owner: string, id: string): Key => ({
  pk: toPartition(owner, 'webhooks'),
  sk: `WEBHOOK#${id}`,
});

/** Returns the key of the set of a user's webhook ids, which limits their number. */
export const toWebhookSetKey = (owner: string): Key => ({ pk: toPartition(owner, 'webhooks'), sk: 'SET' });

/** Returns the range of the deliveries of a webhook. They sort by the time of their events. */
export const toDeliveriesPrefix = (owner: string, webhookId: string) => ({
  pk: toPartition(owner, 'deliveries'),
  prefix: `DELIVERY#${webhookId}#`,
});

export const toDeliveryKey = (owner: string, webhookId: string, eventId: string): Key => ({
  pk: toPartition(owner, 'deliveries'),
  sk: `DELIVERY#${webhookId}#${eventId}`,
});

/** Returns the key of the replay of a webhook. */
export const toReplayKey = (owner: string, webhookId: string): Key => ({
  pk: toPartition(owner, 'deliveries'),
  sk: `REPLAY#${webhookId}`,
});

/** Rows that wait for a time, by the first part of their sort key, with the kind of the partition that they are in. */
const waitingKinds = {
  DELETION: 'versions',
  KB: 'knowledge',
  WEBHOOK: 'webhooks',
  DELIVERY: 'deliveries',
  REPLAY: 'deliveries',
  JOB: 'jobs',
  UNSENT: 'unsent',
} as const satisfies Record<string, UserRowKind>;

/** First part of the sort key of a row that waits. */
export type WaitingKind = keyof typeof waitingKinds;

const isWaitingKind = (kind: string): kind is WaitingKind => Object.hasOwn(waitingKinds, kind);

/** Parts of the key of a row that waits. */
export interface WaitingThing {
  owner: string;
  kind: WaitingKind;
  id: string;
  /** Event of a delivery, otherwise empty. */
  eventId: string;
}

/** Parses the key of a row that waits for a time. Undefined outside the partition of its kind: the service did not write it there. */
export function parseWaitingKey({ pk, sk }: Key): WaitingThing | undefined {
  const [kind = '', id = '', eventId = ''] = sk.split('#');
  const owner = isWaitingKind(kind) ? findOwnerOf(waitingKinds[kind], pk) : undefined;
  return owner === undefined ? undefined : { owner, kind: kind as WaitingKind, id, eventId };
}

/** Returns the key of the result that is remembered under an `Idempotency-Key`, which belongs to a user and a route. */
export const toIdempotencyRecordKey = (owner: string, route: string, idempotencyKey: string): Key => ({
  pk: toPartition(owner, 'once'),
  sk: digest(`${route}\0${idempotencyKey}`),
});
