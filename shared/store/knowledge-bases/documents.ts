import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IngestionResult } from '../../domain/ingestion-result.ts';
import { findTimeoutReason, isAwaited, type StoredKnowledgeBase } from '../../domain/knowledge-base.ts';
import type { Reason } from '../../schemas/common.ts';
import { maxUploadBytes } from '../../schemas/knowledge-base.ts';
import { openIndex } from '../../search/open.ts';
import type { WaitingRow } from '../due.ts';
import * as files from '../files/files.ts';
import { buildEventWrite, type Cause } from '../journal.ts';
import type { Write } from '../table/writes.ts';
import * as knowledgeBases from './knowledge-bases.ts';
import { removeDocument, storePassages } from './passage-files.ts';
import { parseUploadEvent, toUploadKey } from './uploads.ts';

/** An uploaded document, and its knowledge base, which awaits its result. */
export interface Document {
  owner: string;
  knowledgeBase: StoredKnowledgeBase;
}

/** Pauses between lookups of a record, in milliseconds. A record is written after its file. */
const recordWaitsMs = [100, 200, 400, 800, 1_600];

/**
 * Returns the document of an S3 event. Undefined if no result of it is awaited. Waits for the record while
 * the file exists, since the record is written later. Deletes the index if neither exists. The last attempt deletes a file that has no
 * record.
 */
export async function findPending(detail: Record<string, unknown>, isLast: boolean): Promise<Document | undefined> {
  const upload = parseUploadEvent(detail);
  if (!upload) return undefined;
  const { owner, id } = upload;
  let knowledgeBase = await knowledgeBases.find(owner, id);
  for (const pause of recordWaitsMs) {
    if (knowledgeBase) break;
    if (!(await files.exists(toUploadKey(owner, id)))) {
      await removeDocument(owner, id); // an attempt that ended suddenly may have stored an index after the deletion
      return undefined;
    }
    await sleep(pause);
    knowledgeBase = await knowledgeBases.find(owner, id);
  }
  if (!knowledgeBase && !isLast) throw new Error('The document has no record yet');
  if (!knowledgeBase) await removeDocument(owner, id);
  return knowledgeBase && isAwaited(knowledgeBase) ? { owner, knowledgeBase } : undefined;
}

/**
 * Returns the bytes of a document, or a reason to reject them: too large, or different from the digest in its record.
 * Without a digest, as after an upload by form, records the first one seen, so that all attempts parse the same bytes.
 * Throws NotAwaited if the file is gone, as during the deletion of its knowledge base.
 */
export async function loadBytes({ owner, knowledgeBase }: Document): Promise<Uint8Array | 'too_large' | 'replaced'> {
  const { id } = knowledgeBase;
  let bytes: Uint8Array | undefined;
  try {
    bytes = await files.get(toUploadKey(owner, id), maxUploadBytes);
  } catch (error) {
    if (error instanceof files.FileTooLarge) return 'too_large';
    throw error;
  }
  if (!bytes) throw new knowledgeBases.NotAwaited();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (knowledgeBase.sha256 === null) await knowledgeBases.recordDigest(owner, id, { sha256, size_bytes: bytes.length });
  else if (knowledgeBase.sha256 !== sha256) return 'replaced';
  return bytes;
}

/** Builds the cause of a change that no user requested. */
const toCause = ({ owner, knowledgeBase }: Document, functionId: string, requestId: string): Cause => ({
  owner,
  userId: knowledgeBase.user_id ?? null,
  actor: { kind: 'service', id: functionId },
  requestId,
});

/** Builds the event of a document that has failed. */
function buildFailedEvent({ knowledgeBase }: Document, cause: Cause, reason: Reason): Write {
  const { id, name, file_name } = knowledgeBase;
  return buildEventWrite(cause, 'knowledge_base.failed', id, { name, file_name, status_reason: reason.type });
}

/**
 * Stores the result of ingestion. Returns the fields of its log line. Throws DamagedIndex if its index cannot be
 * opened.
 */
export async function finish(document: Document, result: IngestionResult, requestId: string): Promise<object> {
  const { owner, knowledgeBase } = document;
  const { id, name, file_name } = knowledgeBase;
  const cause = toCause(document, 'ingest', requestId);
  if ('reason' in result) {
    const { reason, cause: error, ...facts } = result;
    const failed = buildFailedEvent(document, cause, reason);
    await knowledgeBases.storeResult(owner, id, { ...facts, status: 'failed', status_reason: reason }, failed);
    return { knowledge_base: id, outcome: reason.type, ...(error && { cause: error.name, where: error.where }) };
  }
  const { index, warnings, ...read } = result;
  const facts = { ...read, index_bytes: openIndex(index).memoryBytes };
  const stored = { ...facts, ...(warnings.length > 0 && { warnings }) };
  const ready = buildEventWrite(cause, 'knowledge_base.ready', id, {
    name,
    file_name,
    chunk_count: read.chunk_count,
    assistant_ids: [...(knowledgeBase.assistants ?? [])],
  });
  // The document was read for minutes. An index that is stored and deleted again stays as a version, after its user was forgotten.
  if (!(await knowledgeBases.find(owner, id))) throw new knowledgeBases.NotAwaited();
  const passages = await storePassages(owner, id, index);
  try {
    await knowledgeBases.storeResult(owner, id, { ...stored, passages, status: 'ready', status_reason: null }, ready);
  } catch (error) {
    // Another attempt may have finished it, or this one and the response was lost. Keep the index of the record.
    if (error instanceof knowledgeBases.NotAwaited && error.passages !== passages) await files.remove(passages);
    throw error;
  }
  return { knowledge_base: id, outcome: 'ready', ...facts, warnings: warnings.map(({ type }) => type) };
}

/**
 * Stores that a document was not uploaded or parsed in time, and returns the reason. Returns `settled` for one that was
 * finished or deleted in the mean time, and ends its waiting. Two round trips.
 */
export async function failOverdue({ owner, id }: WaitingRow, requestId: string): Promise<string> {
  const knowledgeBase = await knowledgeBases.find(owner, id);
  const reason = knowledgeBase && findTimeoutReason(knowledgeBase);
  try {
    if (!reason) {
      await knowledgeBases.stopWaiting(owner, id);
      return 'settled';
    }
    const document = { owner, knowledgeBase };
    const failed = buildFailedEvent(document, toCause(document, 'sweep', requestId), reason);
    await knowledgeBases.storeTimeout(owner, id, { status: 'failed', status_reason: reason }, failed);
    return reason.type;
  } catch (error) {
    if (error instanceof knowledgeBases.NotAwaited) return 'settled';
    throw error;
  }
}
