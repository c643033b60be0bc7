import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { toObjectKey } from '../../../../shared/store/files/folders.ts';
import {
  findOwner,
  listPartitions,
  toApiKeyCountKey,
  toApiKeyKey,
  toApiKeyListPrefix,
  toAssistantsPrefix,
  toCallVersionsPrefix,
  toCountsRange,
  toCredentialsPrefix,
  toDeletedAssistantKey,
  toDeliveryKey,
  toEventKey,
  toIdempotencyRecordKey,
  toJobKey,
  toKnowledgeBasesPrefix,
  toPricesKey,
  toQuotaCountsKey,
  toReplayKey,
  toSessionKey,
  toTranscriptKey,
  toUnsentEventKey,
  toVersionsPrefix,
  toWebhookSetKey,
  toWebhooksPrefix,
} from '../../../../shared/store/table/keys.ts';
import { type Row, toKey } from './row.ts';

/**
 * Kind of a row. `other`: in a user's partition, but not written by the service. `unmoved`: written by an earlier
 * release, and not yet moved by `npm run move`.
 */
export type Kind =
  | 'assistant'
  | 'version'
  | 'deletion of versions'
  | 'knowledge base'
  | 'tombstone'
  | 'session'
  | 'transcript'
  | 'call version'
  | 'count'
  | 'usage'
  | 'prices'
  | 'credential'
  | 'job'
  | 'turn of a job'
  | 'API key'
  | 'listed API key'
  | 'API key count'
  | 'idempotency record'
  | 'event'
  | 'unsent event'
  | 'webhook'
  | 'webhook set'
  | 'delivery'
  | 'replay'
  | 'quota counts'
  | 'unmoved'
  | 'other';

/** Returns the partition and sort key prefix of each kind, except API keys. */
const listKindPrefixes = (owner: string): [Kind, { pk: string; prefix: string }][] => [
  ['session', { pk: toSessionKey(owner, '').pk, prefix: '' }],
  ['transcript', { pk: toTranscriptKey(owner, '').pk, prefix: '' }],
  ['call version', { pk: toCallVersionsPrefix(owner, '').pk, prefix: '' }],
  ['idempotency record', { pk: toIdempotencyRecordKey(owner, '', '').pk, prefix: '' }],
  ['count', { pk: toCountsRange(owner, 0).pk, prefix: 'COUNTS#' }],
  ['prices', { pk: toPricesKey(owner).pk, prefix: toPricesKey(owner).sk }],
  ['usage', { pk: toPricesKey(owner).pk, prefix: '' }],
  ['assistant', toAssistantsPrefix(owner)],
  ['version', toVersionsPrefix(owner)],
  ['deletion of versions', { pk: toVersionsPrefix(owner).pk, prefix: 'DELETION#' }],
  ['tombstone', { pk: toDeletedAssistantKey(owner, '').pk, prefix: toDeletedAssistantKey(owner, '').sk }],
  ['knowledge base', toKnowledgeBasesPrefix(owner)],
  ['credential', toCredentialsPrefix(owner)],
  ['turn of a job', { pk: toJobKey(owner, '').pk, prefix: 'TURN#' }],
  ['job', { pk: toJobKey(owner, '').pk, prefix: toJobKey(owner, '').sk }],
  ['listed API key', toApiKeyListPrefix(owner)],
  ['event', { pk: toEventKey(owner, '').pk, prefix: toEventKey(owner, '').sk }],
  ['unsent event', { pk: toUnsentEventKey(owner, '').pk, prefix: toUnsentEventKey(owner, '').sk }],
  ['webhook', toWebhooksPrefix(owner)],
  ['webhook set', { pk: toWebhookSetKey(owner).pk, prefix: toWebhookSetKey(owner).sk }],
  ['delivery', { pk: toDeliveryKey(owner, '', '').pk, prefix: 'DELIVERY#' }],
  ['replay', { pk: toReplayKey(owner, '').pk, prefix: 'REPLAY#' }],
  ['quota counts', { pk: toQuotaCountsKey(owner, 0).pk, prefix: 'DAY#' }],
  ['API key count', { pk: toApiKeyCountKey(owner).pk, prefix: toApiKeyCountKey(owner).sk }],
];

/** Returns the partition that held most of a user's rows in releases until November 2026. */
export const toFormerPartition = (owner: string) => `USER#${owner}`;

/** Returns every partition that may hold rows of a user. */
export const listAllPartitions = (owner: string): string[] => [...listPartitions(owner), toFormerPartition(owner)];

/** Returns the partitions that an export holds: all but quota counts and unsent events, which are of use for a day and where they were made. */
export const listExportedPartitions = (owner: string): string[] =>
  listAllPartitions(owner).filter(
    (pk) => ![toQuotaCountsKey(owner, 0).pk, toUnsentEventKey(owner, '').pk].includes(pk),
  );

/** Returns a row of the former partition with its current key, and any other row unchanged. */
export function toCurrentRow(row: Row): Row {
  const { pk, sk } = toKey(row);
  const owner = findOwner(pk);
  if (owner === undefined || pk !== toFormerPartition(owner)) return row;
  const [, place] = listKindPrefixes(owner).find(([, { prefix }]) => prefix !== '' && sk.startsWith(prefix)) ?? [];
  return place ? { ...row, pk: { S: place.pk } } : row;
}

/** Returns the kind of a row, or undefined if it is not this user's. */
export function findKind(owner: string, row: Row): Kind | undefined {
  const { pk, sk } = toKey(row);
  if (pk === toApiKeyKey(row.hash?.S ?? '').pk) return row.owner?.S === owner ? 'API key' : undefined;
  if (pk === toFormerPartition(owner)) return 'unmoved';
  if (!listPartitions(owner).includes(pk)) return undefined;
  const [kind = 'other'] =
    listKindPrefixes(owner).find(([, place]) => place.pk === pk && sk.startsWith(place.prefix)) ?? [];
  return kind;
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const bareId = new RegExp(`^${uuid}$`);
const oneId = new RegExp(`^[A-Z]+#${uuid}$`);
const twoIds = new RegExp(`^[A-Z]+#${uuid}#${uuid}$`);

/** Patterns of the sort keys with ids. Other kinds have names, days or digests there. */
const idPatterns: Partial<Record<Kind, RegExp>> = {
  session: bareId,
  transcript: bareId,
  assistant: oneId,
  version: new RegExp(`^VERSION#${uuid}#\\d{6}$`),
  'deletion of versions': oneId,
  tombstone: oneId,
  'knowledge base': oneId,
  job: oneId,
  'turn of a job': twoIds,
  'listed API key': oneId,
  event: oneId,
  'unsent event': oneId,
  webhook: oneId,
  delivery: twoIds,
  replay: oneId,
};

/** True if every id in the row's sort key is one that the service could have made, and so is its attribute `id`. */
export function hasValidIds(kind: Kind, row: Row): boolean {
  const pattern = idPatterns[kind];
  if (!pattern) return true;
  const { sk } = toKey(row);
  return pattern.test(sk) && (row.id === undefined || sk.split('#').includes(row.id.S ?? ''));
}

/** Returns the owner of a row, or undefined if it has none. An API key belongs to the user it acts as. */
export function findRowOwner(row: Row): string | undefined {
  const owner = findOwner(toKey(row).pk) ?? row.owner?.S;
  return owner !== undefined && findKind(owner, row) ? owner : undefined;
}

/** Returns the path that an attribute names, if it does. Anything but a text is no path of any file. */
const readPath = (value: AttributeValue | undefined): string[] =>
  value === undefined || value.NULL ? [] : [value.S ?? JSON.stringify(value)];

/** Returns the id of the document of a knowledge base's row, or undefined for other rows. */
export function findDocumentId(owner: string, row: Row): string | undefined {
  const { pk, sk } = toKey(row);
  const place = toKnowledgeBasesPrefix(owner);
  return pk === place.pk && sk.startsWith(place.prefix) ? sk.slice(place.prefix.length) : undefined;
}

/** Returns the paths of the files of a row: a session's transcript, a document and its search index, or what a job asked and got. */
export function listNamedFiles(owner: string, row: Row): string[] {
  if (findKind(owner, row) === 'session') return readPath(row.file);
  if (findKind(owner, row) === 'job') {
    const names = ['requests.json', ...(row.ended_at?.S ? ['answers.jsonl'] : [])];
    return names.map((name) => toObjectKey('jobs', owner, row.id?.S ?? '', name));
  }
  const id = findDocumentId(owner, row);
  if (id === undefined) return [];
  // A known digest means that the document was uploaded.
  const upload = row.sha256?.S ? [toObjectKey('uploads', owner, id)] : [];
  return [...upload, ...readPath(row.passages)];
}
