import { NIL, v7 as uuidv7, validate } from 'uuid';
import type { OcrLanguage } from '../reading/languages.ts';
import type { AttachedKnowledgeBase } from '../schemas/assistant.ts';
import { type Reason, toEnvelope } from '../schemas/common.ts';
import type { KnowledgeBase, Status } from '../schemas/knowledge-base.ts';
import { getTimeIn } from './time.ts';

/** A stored knowledge base. Its owner is part of its key. */
export interface StoredKnowledgeBase {
  id: string;
  name: string;
  file_name: string;
  content_type: string;
  size_bytes: number;
  sha256: string | null;
  status: Status;
  status_reason: Reason | null;
  char_count: number | null;
  chunk_count: number | null;
  /** What its owner should know about a ready document. Missing if there is nothing, and in records of older releases. */
  warnings?: Reason[];
  created_at: string;
  updated_at: string;
  /** Time at which a knowledge base that is still processing has failed, RFC 3339. */
  deadline: string;
  /** Id of the user who created it, which events of the service name. Missing in records of older releases. */
  user_id?: string;
  /** Languages of its pictures, as its owner named them. Missing if they are to be detected. */
  languages?: OcrLanguage[] | undefined;
  /** Object key of the search index. Set when the knowledge base is ready. */
  passages?: string;
  /** Memory of the opened search index, in bytes. Missing in records of older releases. */
  index_bytes?: number;
  /** Ids of the assistants that it is attached to. */
  assistants?: Set<string>;
}

/** Properties of a document before it is parsed. */
export interface NewDocument {
  name?: string | null | undefined;
  file_name: string;
  content_type: string;
  size_bytes: number;
  sha256: string | null;
  languages?: OcrLanguage[] | undefined;
}

/** Time limit of ingestion in seconds: three attempts of five and a half, plus the time in the queues. */
const processingSeconds = 20 * 60;

/** Lifetime of an upload form, in seconds. */
export const uploadFormSeconds = 600;

const maxNameLength = 200;

/** Strips folders and extension from a file name. Never empty. */
function toDisplayName(fileName: string): string {
  const [base = ''] = fileName.split(/[/\\]/).slice(-1);
  const name = base.replace(/\.\w{1,8}$/, '').trim() || base.trim();
  return [...name].slice(0, maxNameLength).join('') || 'Untitled';
}

/** Creates a knowledge base of a user that is still processing, optionally attached to an assistant. */
export function buildKnowledgeBase(
  userId: string,
  { name, languages, ...document }: NewDocument,
  assistantId?: string,
): StoredKnowledgeBase {
  const now = new Date().toISOString();
  return {
    ...document,
    id: uuidv7(),
    user_id: userId,
    name: name ?? toDisplayName(document.file_name),
    status: 'processing',
    status_reason: null,
    char_count: null,
    chunk_count: null,
    created_at: now,
    updated_at: now,
    deadline: getTimeIn(processingSeconds + uploadFormSeconds),
    ...(languages && { languages }),
    ...(assistantId && { assistants: new Set([assistantId]) }),
  };
}

const timeoutReasons = {
  upload_missing: {
    type: 'upload_missing',
    msg: 'No file was received in time, or it waited behind your others for too long: ask for a new upload',
  },
  timed_out: { type: 'timed_out', msg: 'The file was not read in time: delete it, then upload it again' },
};

/** Types of failures that a late result replaces. */
export const timeoutTypes = Object.keys(timeoutReasons);

/** True if a knowledge base can still become ready or failed: it is processing, or was failed by a timeout only. */
export const isAwaited = ({ status, status_reason }: StoredKnowledgeBase): boolean =>
  status === 'processing' || (status === 'failed' && timeoutTypes.includes(status_reason?.type ?? ''));

/** Returns the timeout that a knowledge base has failed by: it is still processing after its deadline. Undefined for others. */
export function findTimeoutReason({ status, deadline, sha256 }: StoredKnowledgeBase): Reason | undefined {
  if (status !== 'processing' || Date.now() < Date.parse(deadline)) return undefined;
  return sha256 === null ? timeoutReasons.upload_missing : timeoutReasons.timed_out;
}

/** True if a knowledge base has a search index: it is ready. */
export const isSearchable = ({ passages }: StoredKnowledgeBase): boolean => passages !== undefined;

/** Returns the current status. Readers see a missed deadline before `sweep` stores it. */
function getStatus(stored: StoredKnowledgeBase): Pick<KnowledgeBase, 'status' | 'status_reason'> {
  const { status, status_reason } = stored;
  const timeoutReason = findTimeoutReason(stored);
  return timeoutReason ? { status: 'failed', status_reason: timeoutReason } : { status, status_reason };
}

/** Converts a stored knowledge base to its API representation. */
export function toPublicKnowledgeBase(stored: StoredKnowledgeBase): KnowledgeBase {
  return {
    id: stored.id,
    name: stored.name,
    file_name: stored.file_name,
    content_type: stored.content_type,
    size_bytes: stored.size_bytes,
    sha256: stored.sha256,
    ...getStatus(stored),
    char_count: stored.char_count,
    chunk_count: stored.chunk_count,
    warnings: stored.warnings ?? [],
    vectorstore_index: 'builtin',
    vectorstore_namespace: stored.id,
    attached_assistant_ids: [...(stored.assistants ?? [])].sort(),
    created_at: stored.created_at,
    updated_at: stored.updated_at,
  };
}

/** Builds the result of creating a knowledge base. */
export const toCreatedResult = (stored: StoredKnowledgeBase) => ({
  body: toEnvelope('Knowledge base created', toPublicKnowledgeBase(stored)),
  created: `/assistants/knowledge-base/${stored.id}`,
});

/** Builds the data of an event about a new or deleted knowledge base. */
export const toDocumentData = ({ name, file_name, assistants }: StoredKnowledgeBase) => ({
  name,
  file_name,
  assistant_ids: [...(assistants ?? [])],
});

/** Times at which knowledge bases were attached, RFC 3339, by id. */
export type Attachments = Record<string, string>;

/** Lists the attached knowledge bases of an assistant in order of attachment. Skips deleted ones. */
export const toAttachedKnowledgeBases = (
  attachments: Attachments,
  stored: ReadonlyMap<string, StoredKnowledgeBase>,
): AttachedKnowledgeBase[] =>
  Object.entries(attachments)
    .toSorted(([idA, timeA], [idB, timeB]) => (timeA + idA < timeB + idB ? -1 : 1))
    .flatMap(([id, attached_at]) => {
      const found = stored.get(id);
      if (!found) return [];
      const { name, file_name, content_type, size_bytes } = found;
      return [{ id, name, file_name, content_type, size_bytes, status: getStatus(found).status, attached_at }];
    });

/**
 * Returns the id of the knowledge base that an assistant's `knowledge_base` refers to, if its index is `builtin`. Any
 * other index is a vector store of the user's own.
 */
export const findBuiltinId = ({
  vectorstore_index,
  vectorstore_namespace,
}: {
  vectorstore_index?: unknown;
  vectorstore_namespace?: unknown;
}): string | undefined =>
  vectorstore_index === 'builtin' && typeof vectorstore_namespace === 'string'
    ? parseId(vectorstore_namespace)
    : undefined;

/**
 * Clears the reference in an assistant's `knowledge_base` if that knowledge base was detached since. A client can then
 * send back an assistant that it has read, and setting the same reference attaches it again.
 */
export const clearDetached = <K extends Record<string, unknown>>(knowledgeBase: K, attachments: Attachments): K => {
  const id = findBuiltinId(knowledgeBase);
  if (id === undefined || Object.hasOwn(attachments, id)) return knowledgeBase;
  return { ...knowledgeBase, vectorstore_index: null, vectorstore_namespace: null };
};

/** Returns the nil UUID, which no knowledge base has, for anything that is not a UUID. */
const parseId = (text: string) => (validate(text) ? text.toLowerCase() : NIL);
