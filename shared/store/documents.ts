import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredKnowledgeBase } from '../domain/knowledge-base.ts';
import type { ReadResult } from '../domain/read-result.ts';
import { maxUploadBytes } from '../schemas/knowledge-base.ts';
import * as files from './files.ts';
import * as knowledgeBases from './knowledge-bases.ts';
import { keepPassages, removeDocument } from './passage-files.ts';
import { uploadAt, uploadKey } from './uploads.ts';

/** A document that has arrived, and whose record waits for it. */
export interface Document {
  owner: string;
  knowledgeBase: StoredKnowledgeBase;
}

/** How long a record may come after its file, in milliseconds: it is written when the file is stored. */
const pauses = [100, 200, 400, 800, 1_600];

/**
 * Returns the document that EventBridge tells of, or undefined where nobody waits for it. A record may come after its file: it is
 * waited for as long as the file is there, and without one the last attempt deletes the file.
 */
export async function awaited(detail: Record<string, unknown>, isLast: boolean): Promise<Document | undefined> {
  const place = uploadAt(detail);
  if (!place) return undefined;
  const { owner, id } = place;
  let knowledgeBase = await knowledgeBases.find(owner, id);
  for (const pause of pauses) {
    if (knowledgeBase) break;
    if (!(await files.exists(uploadKey(owner, id)))) return undefined;
    await sleep(pause);
    knowledgeBase = await knowledgeBases.find(owner, id);
  }
  if (!knowledgeBase && !isLast) throw new Error('The document has no record yet');
  if (!knowledgeBase) await removeDocument(owner, id);
  return knowledgeBase?.status === 'processing' ? { owner, knowledgeBase } : undefined;
}

/**
 * The bytes of a document, or why they are not taken: they are too many, or not those that its record tells of. Where only now
 * they are known, that is noted, and no others are taken from then on: so all attempts make the same of a document.
 * Throws NotAwaited where the file is gone, as while its knowledge base is deleted.
 */
export async function take({ owner, knowledgeBase }: Document): Promise<Uint8Array | 'too_large' | 'replaced'> {
  const { id } = knowledgeBase;
  let bytes: Uint8Array | undefined;
  try {
    bytes = await files.get(uploadKey(owner, id), maxUploadBytes);
  } catch (error) {
    if (error instanceof files.FileTooLarge) return 'too_large';
    throw error;
  }
  if (!bytes) throw new knowledgeBases.NotAwaited();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (knowledgeBase.sha256 === null) await knowledgeBases.identify(owner, id, { sha256, size_bytes: bytes.length });
  else if (knowledgeBase.sha256 !== sha256) return 'replaced';
  return bytes;
}

/** Ends the processing of a document. Gives what is to be logged of it. */
export async function finish({ owner, knowledgeBase }: Document, result: ReadResult): Promise<object> {
  const { id } = knowledgeBase;
  if ('reason' in result) {
    const { reason, cause, ...facts } = result;
    await knowledgeBases.change(owner, id, { ...facts, status: 'failed', status_reason: reason });
    return { knowledge_base: id, outcome: reason.type, ...(cause && { cause: cause.name, where: cause.where }) };
  }
  const { index, ...facts } = result;
  const passages = await keepPassages(owner, id, index);
  try {
    await knowledgeBases.change(owner, id, { ...facts, passages, status: 'ready' });
  } catch (error) {
    // It may have been another attempt that made it ready, or this one, whose answer was lost.
    if (error instanceof knowledgeBases.NotAwaited && error.passages !== passages) await files.remove(passages);
    throw error;
  }
  return { knowledge_base: id, outcome: 'ready', ...facts };
}
