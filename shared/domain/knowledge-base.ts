import { NIL, v7 as uuidv7, validate } from 'uuid';
import type { AttachedKnowledgeBase } from '../schemas/assistant.ts';
import { envelope, type Reason } from '../schemas/common.ts';
import type { KnowledgeBase, Status } from '../schemas/knowledge-base.ts';

/** A knowledge base as the service keeps it. Its owner is part of its key. */
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
  created_at: string;
  updated_at: string;
  /** Until when it may be processing, RFC 3339: whoever finds it so later takes it for failed. */
  deadline: string;
  /** The file that is searched, where it is ready. */
  passages?: string;
  /** The assistants that it is attached to. */
  assistants?: Set<string>;
}

/** What is known of a document before it is read. */
export interface NewDocument {
  name?: string | null | undefined;
  file_name: string;
  content_type: string;
  size_bytes: number;
  sha256: string | null;
}

/** Minutes in which a document is read: three attempts of five and a half, and what the queues take. */
const patienceMinutes = 20;

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** For how long a form for an upload is good, in seconds. */
export const formSeconds = 600;

const maxName = 200;

/** A name of a file without folders and ending. Never empty. */
function nameOf(fileName: string): string {
  const [base = ''] = fileName.split(/[/\\]/).slice(-1);
  const name = base.replace(/\.\w{1,8}$/, '').trim() || base.trim();
  return [...name].slice(0, maxName).join('') || 'Untitled';
}

/** A new knowledge base of a document that is still to be read, attached to an assistant where one is given. */
export function newKnowledgeBase({ name, ...document }: NewDocument, assistantId?: string): StoredKnowledgeBase {
  const now = new Date().toISOString();
  return {
    ...document,
    id: uuidv7(),
    name: name ?? nameOf(document.file_name),
    status: 'processing',
    status_reason: null,
    char_count: null,
    chunk_count: null,
    created_at: now,
    updated_at: now,
    deadline: minutesFromNow(patienceMinutes + formSeconds / 60),
    ...(assistantId && { assistants: new Set([assistantId]) }),
  };
}

const late = {
  upload_missing: { type: 'upload_missing', msg: 'No file was received in time: ask for a new upload' },
  timed_out: { type: 'timed_out', msg: 'The file was not read in time: delete it, then upload it again' },
};

/** The status that is true now: nothing is processed for ever, whatever became of it. */
function statusOf({
  status,
  status_reason,
  deadline,
  sha256,
}: StoredKnowledgeBase): Pick<KnowledgeBase, 'status' | 'status_reason'> {
  if (status !== 'processing' || Date.now() < Date.parse(deadline)) return { status, status_reason };
  return { status: 'failed', status_reason: sha256 === null ? late.upload_missing : late.timed_out };
}

/** A knowledge base as its owner sees it. */
export function shownKnowledgeBase(stored: StoredKnowledgeBase): KnowledgeBase {
  return {
    id: stored.id,
    name: stored.name,
    file_name: stored.file_name,
    content_type: stored.content_type,
    size_bytes: stored.size_bytes,
    sha256: stored.sha256,
    ...statusOf(stored),
    char_count: stored.char_count,
    chunk_count: stored.chunk_count,
    vectorstore_index: 'builtin',
    vectorstore_namespace: stored.id,
    attached_assistant_ids: [...(stored.assistants ?? [])].sort(),
    created_at: stored.created_at,
    updated_at: stored.updated_at,
  };
}

/** The answer that shows a new knowledge base. */
export const answerWith = (stored: StoredKnowledgeBase) => ({
  body: envelope('Knowledge base created', shownKnowledgeBase(stored)),
  created: `/assistants/knowledge-base/${stored.id}`,
});

/** When each knowledge base was attached, RFC 3339, by its id. */
export type Attachments = Record<string, string>;

/** What an assistant shows of its knowledge bases, in the order in which they were attached. Those that are gone are left out. */
export const attachedOf = (
  attachments: Attachments,
  stored: ReadonlyMap<string, StoredKnowledgeBase>,
): AttachedKnowledgeBase[] =>
  Object.entries(attachments)
    .toSorted(([one, then], [other, later]) => (then + one < later + other ? -1 : 1))
    .flatMap(([id, attached_at]) => {
      const found = stored.get(id);
      if (!found) return [];
      const { name, file_name, content_type, size_bytes } = found;
      return [{ id, name, file_name, content_type, size_bytes, status: statusOf(found).status, attached_at }];
    });

/**
 * The id of the knowledge base that an assistant's `knowledge_base` means: the pair `builtin` and an id is one of ours.
 * Any other pair is the user's own business.
 */
export const builtin = ({
  vectorstore_index,
  vectorstore_namespace,
}: {
  vectorstore_index?: unknown;
  vectorstore_namespace?: unknown;
}): string | undefined =>
  vectorstore_index === 'builtin' && typeof vectorstore_namespace === 'string'
    ? idIn(vectorstore_namespace)
    : undefined;

/**
 * An assistant's `knowledge_base` as it is now: one that names what is attached no longer names nothing. So what was read can be
 * sent back, and naming the same again attaches it again.
 */
export const currentOf = <K extends Record<string, unknown>>(named: K, attachments: Attachments): K => {
  const id = builtin(named);
  if (id === undefined || Object.hasOwn(attachments, id)) return named;
  return { ...named, vectorstore_index: null, vectorstore_namespace: null };
};

/** What is no id is one that nothing has. */
const idIn = (text: string) => (validate(text) ? text.toLowerCase() : NIL);
