import { pathOf } from '../../shared/store/folders.ts';
import {
  apiKeyKey,
  apiKeysOf,
  countsOf,
  credentialsOf,
  knowledgeBasesOf,
  onceKey,
  partitionsOf,
  sessionKey,
} from '../../shared/store/keys.ts';

import { keyOf, type Row } from './row.ts';

/** What a row is, as far as it is treated in a way of its own. */
export type Kind = 'session' | 'count' | 'credential' | 'API key' | 'remembered answer' | 'other';

/** Undefined of a row that is not this user's. */
export function kindOf(owner: string, row: Row): Kind | undefined {
  const { pk, sk } = keyOf(row);
  const isIn = (place: { pk: string; prefix: string }) => pk === place.pk && sk.startsWith(place.prefix);
  if (pk === apiKeyKey(row.hash?.S ?? '').pk) return row.owner?.S === owner ? 'API key' : undefined;
  if (!partitionsOf(owner).includes(pk)) return undefined;
  if (pk === sessionKey(owner, '').pk) return 'session';
  if (pk === onceKey(owner, '', '').pk) return 'remembered answer';
  if (isIn(apiKeysOf(owner))) return 'API key';
  if (isIn(credentialsOf(owner))) return 'credential';
  const [first, last] = countsOf(owner, 0).range;
  return pk === countsOf(owner, 0).pk && sk >= first && sk <= last ? 'count' : 'other';
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
