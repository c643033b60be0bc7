import { ApiError, createUnreachableError } from '../../../../clients/typescript/src/api-error.ts';
import { api, withSession } from '../../api/client.ts';
import { createProgressTransport } from '../../api/progress-transport.ts';
import type { KnowledgeBase } from '../../api/types.ts';
import { attachKnowledgeBase } from '../../assistants/queries.ts';
import { knowledge as text } from '../../strings/knowledge.ts';
import { deleteKnowledgeBase } from '../queries.ts';
import type { UploadMethod } from './file-check.ts';
import type { Upload } from './upload-queue.ts';

/** Progress callback and abort signal of an upload. */
export interface SendOptions {
  /** Called with the progress as a fraction of 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

function buildForm(file: File, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  // S3 ignores fields after the file.
  form.set('file', file, file.name);
  return form;
}

/** Uploads a file, and attaches it if the upload names an assistant. Throws ApiError, or the reason of the abort. */
export async function sendUpload(upload: Upload, method: UploadMethod, options: SendOptions): Promise<KnowledgeBase> {
  // Detects an unreadable file: the upload itself would only fail with a network error.
  await upload.file.slice(0, 1).arrayBuffer().catch(throwFileGone);
  return method === 'form' ? postToApi(upload, options) : sendDirectly(upload, options);
}

function throwFileGone(cause: unknown): never {
  throw new ApiError(0, [{ loc: [], msg: text.fileGone, type: 'file_gone' }], undefined, { cause });
}

/**
 * Direct uploads that have started, by file, so that a retry resumes them: the idempotency key of the record and, once
 * S3 has the file, the record.
 */
const startedUploads = new WeakMap<File, { key: string; stored?: KnowledgeBase }>();

async function postToApi(
  { file, assistantId, languages, key }: Upload,
  { onProgress, signal }: SendOptions,
): Promise<KnowledgeBase> {
  const header = { 'Idempotency-Key': key };
  const options = {
    // The OpenAPI document types a file as text. `bodySerializer` sends the form.
    body: { file: '' },
    bodySerializer: () => buildForm(file, languages.length > 0 ? { languages: languages.join(',') } : {}),
    fetch: withSession(createProgressTransport(onProgress)),
    signal,
  };
  const { data } =
    assistantId === undefined
      ? await api.POST('/assistants/knowledge-base', { params: { header }, ...options })
      : await api.POST('/assistants/{assistant_id}/knowledge-base', {
          params: { header, path: { assistant_id: assistantId } },
          ...options,
        });
  return data.data;
}

async function sendDirectly(upload: Upload, options: SendOptions): Promise<KnowledgeBase> {
  const { file, assistantId } = upload;
  const resumed = startedUploads.get(file)?.stored;
  const record = resumed ?? (await storeInS3(upload, options));
  try {
    if (assistantId !== undefined) await attachKnowledgeBase(assistantId, record.id, options.signal);
  } catch (error) {
    if (options.signal.aborted || isKnowledgeBaseDeleted(error)) await discardRecord(file, record);
    // It was deleted after S3 received the file: upload again.
    if (resumed && isKnowledgeBaseDeleted(error)) return sendDirectly(upload, options);
    throw error;
  }
  return record;
}

/** True if the knowledge base is gone. A 404 may also mean that the assistant is. */
const isKnowledgeBaseDeleted = (error: unknown) =>
  error instanceof ApiError &&
  error.status === 404 &&
  error.faults.some(({ loc }) => loc.includes('knowledge_base_id'));

/**
 * Deletes the record and starts over. If the deletion fails, the record expires in half an hour as one that got no
 * file.
 */
async function discardRecord(file: File, { id }: KnowledgeBase): Promise<void> {
  startedUploads.set(file, { key: crypto.randomUUID() });
  await deleteKnowledgeBase(id, true).catch(() => undefined);
}

async function storeInS3(
  { file, languages, key: first }: Upload,
  { onProgress, signal }: SendOptions,
): Promise<KnowledgeBase> {
  const key = startedUploads.get(file)?.key ?? first;
  const header = { 'Idempotency-Key': key };
  const body = {
    file_name: file.name,
    content_type: file.type || 'application/octet-stream',
    size_bytes: file.size,
    ...(languages.length > 0 && { languages: [...languages] }),
  };
  const { data } = await api.POST('/assistants/knowledge-base/uploads', { params: { header }, body, signal });
  const { knowledge_base: record, upload } = data.data;
  try {
    await postToS3(
      new Request(upload.url, { method: 'POST', body: buildForm(file, upload.fields), signal }),
      onProgress,
    );
  } catch (error) {
    await discardRecord(file, record);
    throw error;
  }
  startedUploads.set(file, { key, stored: record });
  return record;
}

async function postToS3(request: Request, onProgress: SendOptions['onProgress']): Promise<void> {
  const response = await createProgressTransport(onProgress)(request).catch((error) => {
    throw request.signal.aborted ? error : createUnreachableError(error);
  });
  if (!response.ok) throw new ApiError(response.status, [], response.headers);
}
