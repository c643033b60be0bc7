import { pathOf } from '../../shared/store/folders.ts';
import {
  apiKeyCountKey,
  apiKeyKey,
  apiKeysOf,
  assistantsOf,
  countKey,
  credentialsOf,
  deletedAssistantKey,
  knowledgeBasesOf,
  onceKey,
  ownerOf,
  partitionsOf,
  sessionKey,
  tellingsOf,
  transcriptKey,
} from '../../shared/store/keys.ts';
import { keyOf, type Row } from './row.ts';

/**
 * What a row is; `other` of one in a user's partition that is nothing that the service writes, `unmoved` of one that an earlier
 * release wrote and `npm run move` has not moved yet.
 */
export type Kind =
  | 'assistant'
  | 'knowledge base'
  | 'tombstone'
  | 'session'
  | 'transcript'
  | 'telling'
  | 'count'
  | 'credential'
  | 'API key'
  | 'listed API key'
  | 'API key count'
  | 'remembered answer'
  | 'unmoved'
  | 'other';

/** Where the rows of each kind lie, but API keys: their partition, and the beginning of their sort keys. */
const places = (owner: string): [Kind, { pk: string; prefix: string }][] => [
  ['session', { pk: sessionKey(owner, '').pk, prefix: '' }],
  ['transcript', { pk: transcriptKey(owner, '').pk, prefix: '' }],
  ['telling', { pk: tellingsOf(owner, '').pk, prefix: '' }],
  ['remembered answer', { pk: onceKey(owner, '', '').pk, prefix: '' }],
  ['count', { pk: countKey(owner, 0).pk, prefix: 'COUNTS#' }],
  ['assistant', assistantsOf(owner)],
  ['tombstone', { pk: deletedAssistantKey(owner, '').pk, prefix: deletedAssistantKey(owner, '').sk }],
  ['knowledge base', knowledgeBasesOf(owner)],
  ['credential', credentialsOf(owner)],
  ['listed API key', apiKeysOf(owner)],
  ['API key count', { pk: apiKeyCountKey(owner).pk, prefix: apiKeyCountKey(owner).sk }],
];

/** The partition that held most kinds of a user's rows in releases up to November 2026. */
export const formerPartition = (owner: string) => `USER#${owner}`;

/** Every partition that rows of a user may lie in. */
export const allPartitionsOf = (owner: string): string[] => [...partitionsOf(owner), formerPartition(owner)];

/** Returns a row with the key that it has now: the same one, but for rows of the former partition. */
export function moved(row: Row): Row {
  const { pk, sk } = keyOf(row);
  const owner = ownerOf(pk);
  if (owner === undefined || pk !== formerPartition(owner)) return row;
  const [, place] = places(owner).find(([, { prefix }]) => prefix !== '' && sk.startsWith(prefix)) ?? [];
  return place ? { ...row, pk: { S: place.pk } } : row;
}

/** Undefined of a row that is not this user's. */
export function kindOf(owner: string, row: Row): Kind | undefined {
  const { pk, sk } = keyOf(row);
  if (pk === apiKeyKey(row.hash?.S ?? '').pk) return row.owner?.S === owner ? 'API key' : undefined;
  if (pk === formerPartition(owner)) return 'unmoved';
  if (!partitionsOf(owner).includes(pk)) return undefined;
  const [kind = 'other'] = places(owner).find(([, place]) => place.pk === pk && sk.startsWith(place.prefix)) ?? [];
  return kind;
}

/** Whose a row is: the user's part of its key, or of an API key the one as whom it acts. Undefined of a row of no user. */
export function holderOf(row: Row): string | undefined {
  const owner = ownerOf(keyOf(row).pk) ?? row.owner?.S;
  return owner !== undefined && kindOf(owner, row) ? owner : undefined;
}

/** The files that a row names: the transcript of a session, a document and what is searched of it. */
export function filesNamedBy(owner: string, row: Row): string[] {
  const { pk, sk } = keyOf(row);
  if (kindOf(owner, row) === 'session') return row.file?.S ? [row.file.S] : [];
  const { pk: documents, prefix } = knowledgeBasesOf(owner);
  if (pk !== documents || !sk.startsWith(prefix)) return [];
  // Whose bytes are known has been uploaded.
  const upload = row.sha256?.S ? [pathOf('uploads', owner, sk.slice(prefix.length))] : [];
  return row.passages?.S ? [...upload, row.passages.S] : upload;
}
