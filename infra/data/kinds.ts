import { pathOf } from '../../shared/store/folders.ts';
import {
  apiKeyKey,
  apiKeysOf,
  assistantsOf,
  countsOf,
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

/** What a row is; `other` of one in a user's partition that is nothing that the service writes. */
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
  | 'remembered answer'
  | 'other';

/** The kinds that have a partition of a user's to themselves, and those that share one, by where they lie. */
const partitions = (owner: string): [Kind, string][] => [
  ['session', sessionKey(owner, '').pk],
  ['transcript', transcriptKey(owner, '').pk],
  ['telling', tellingsOf(owner, '').pk],
  ['remembered answer', onceKey(owner, '', '').pk],
];
const prefixes = (owner: string): [Kind, string][] => [
  ['assistant', assistantsOf(owner).prefix],
  ['knowledge base', knowledgeBasesOf(owner).prefix],
  ['tombstone', deletedAssistantKey(owner, '').sk],
  ['credential', credentialsOf(owner).prefix],
  ['listed API key', apiKeysOf(owner).prefix],
];

/** Undefined of a row that is not this user's. */
export function kindOf(owner: string, row: Row): Kind | undefined {
  const { pk, sk } = keyOf(row);
  if (pk === apiKeyKey(row.hash?.S ?? '').pk) return row.owner?.S === owner ? 'API key' : undefined;
  if (!partitionsOf(owner).includes(pk)) return undefined;
  const [alone] = partitions(owner).find(([, partition]) => partition === pk) ?? [];
  if (alone) return alone;
  const [first, last] = countsOf(owner, 0).range;
  if (sk >= first && sk <= last) return 'count';
  const [kind = 'other'] = prefixes(owner).find(([, prefix]) => sk.startsWith(prefix)) ?? [];
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
