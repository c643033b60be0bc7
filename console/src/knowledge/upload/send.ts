import { answer, api, asPerson, unreachable } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { telling } from '../../api/telling.ts';
import type { KnowledgeBase } from '../../api/types.ts';
import { attach } from '../../assistants/queries.ts';
import { knowledge as text } from '../../strings/knowledge.ts';
import { deleteKnowledgeBase } from '../queries.ts';
import type { Way } from './choice.ts';
import type { Upload } from './queue.ts';

/** How an upload is followed and ended. */
export interface Following {
  /** Given how much is sent, as a share of 1. */
  tell: (share: number) => void;
  signal: AbortSignal;
}

function formOf(file: File, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  // S3 reads a form up to its file.
  form.set('file', file, file.name);
  return form;
}

/** Sends a file, and attaches it where the upload names an assistant. Throws Problem, or what the signal was aborted with. */
export async function send(upload: Upload, way: Way, following: Following): Promise<KnowledgeBase> {
  // A browser would say no more than that it reached nobody.
  await upload.file.slice(0, 1).arrayBuffer().catch(gone);
  return way === 'posted' ? post(upload, following) : sendStraight(upload, following);
}

function gone(cause: unknown): never {
  throw new Problem(0, [{ loc: [], msg: text.fileGone, type: 'file_gone' }], undefined, { cause });
}

/**
 * What was begun of large files, to go on from there when they are sent again: the key by which one gets its record and, once S3
 * has the file, the record.
 */
const begun = new WeakMap<File, { key: string; stored?: KnowledgeBase }>();

async function post({ file, assistantId, key }: Upload, { tell, signal }: Following): Promise<KnowledgeBase> {
  const header = { 'Idempotency-Key': key };
  const options = {
    // The document's type for a file is text; the form is what is sent.
    body: { file: '' },
    bodySerializer: () => formOf(file),
    fetch: asPerson(telling(tell)),
    signal,
  };
  const { data } =
    assistantId === undefined
      ? await answer(api.POST('/assistants/knowledge-base', { params: { header }, ...options }))
      : await answer(
          api.POST('/assistants/{assistant_id}/knowledge-base', {
            params: { header, path: { assistant_id: assistantId } },
            ...options,
          }),
        );
  return data.data;
}

async function sendStraight(upload: Upload, following: Following): Promise<KnowledgeBase> {
  const { file, assistantId } = upload;
  const before = begun.get(file)?.stored;
  const record = before ?? (await store(upload, following));
  try {
    if (assistantId !== undefined) await attach(assistantId, record.id, following.signal);
  } catch (error) {
    if (following.signal.aborted || isDeleted(error)) await discard(file, record);
    // It was deleted since S3 took the file: that is sent once more.
    if (before && isDeleted(error)) return sendStraight(upload, following);
    throw error;
  }
  return record;
}

/** Whether there is no such knowledge base any more; an assistant may be gone as well. */
const isDeleted = (error: unknown) =>
  error instanceof Problem && error.status === 404 && error.faults.some(({ loc }) => loc.includes('knowledge_base_id'));

/** Begins anew. A record that waits for a file, and cannot be deleted, says in half an hour that none came. */
async function discard(file: File, { id }: KnowledgeBase): Promise<void> {
  begun.set(file, { key: crypto.randomUUID() });
  await deleteKnowledgeBase(id, true).catch(() => undefined);
}

async function store({ file, key: first }: Upload, { tell, signal }: Following): Promise<KnowledgeBase> {
  const key = begun.get(file)?.key ?? first;
  const header = { 'Idempotency-Key': key };
  const body = {
    file_name: file.name,
    content_type: file.type || 'application/octet-stream',
    size_bytes: file.size,
  };
  const { data } = await answer(api.POST('/assistants/knowledge-base/uploads', { params: { header }, body, signal }));
  const { knowledge_base: record, upload } = data.data;
  try {
    await toS3(new Request(upload.url, { method: 'POST', body: formOf(file, upload.fields), signal }), tell);
  } catch (error) {
    await discard(file, record);
    throw error;
  }
  begun.set(file, { key, stored: record });
  return record;
}

async function toS3(request: Request, tell: Following['tell']): Promise<void> {
  const response = await telling(tell)(request).catch((error) => {
    throw request.signal.aborted ? error : unreachable(error);
  });
  if (!response.ok) throw new Problem(response.status, [], response.headers);
}
