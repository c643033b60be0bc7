import type { StoredKnowledgeBase } from '../../domain/knowledge-base.ts';
import { Conflict } from '../../errors.ts';
import { toBatches } from '../batches.ts';
import { clearDue } from '../due.ts';
import * as files from '../files/files.ts';
import { toObjectKey } from '../files/folders.ts';
import { getOnce } from '../table/get-once.ts';
import { toAssistantKey, toKnowledgeBaseKey } from '../table/keys.ts';
import { knowledgeBaseNotFound } from '../table/not-found.ts';
import { get, type Row } from '../table/table.ts';
import { type Write, write } from '../table/writes.ts';
import { removeDocument } from './passage-files.ts';
import { type FileEvent, type KnowledgeBaseRef, parseFileEvent } from './uploads.ts';

/**
 * Returns the object key of a deletion marker, an empty file. Its creation event makes the queue check later that the
 * deletion has finished.
 */
const toErasureKey = (owner: string, id: string): string => toObjectKey('erasures', owner, id);

/** Number of assistants that are updated concurrently. */
const batchSize = 25;

const notFound = () => knowledgeBaseNotFound('path', 'knowledge_base_id');

/** Builds the write that hides a knowledge base from all readers, before its files are deleted. */
const buildHideWrite = (owner: string, id: string, force: boolean): Write => ({
  Update: {
    Key: toKnowledgeBaseKey(owner, id),
    UpdateExpression: `SET deleting = :true ${clearDue.clause}`,
    ConditionExpression: `attribute_exists(pk) AND attribute_not_exists(deleting)${force ? '' : ' AND attribute_not_exists(assistants)'}`,
    ExpressionAttributeNames: clearDue.names,
    ExpressionAttributeValues: { ':true': true },
  },
  toError: (stored) => (stored && !stored.deleting ? toInUseError(stored) : notFound()),
});

const toInUseError = ({ assistants }: Row) =>
  new Conflict(
    ['query', 'force'],
    `It is in use (assistants: ${(assistants as Set<string> | undefined)?.size}): detach it, or add ?force=true`,
  );

/** Builds the write that detaches a knowledge base from an assistant, which may no longer exist. */
const buildDetachWrite = (owner: string, assistantId: string, id: string): Write => ({
  Update: {
    Key: toAssistantKey(owner, assistantId),
    UpdateExpression: 'REMOVE attachments.#id',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#id': id },
  },
  toError: () => new RowMissing(),
});

/** Builds the write that removes detached assistants from the record, so that a retry continues with the others. */
const buildProgressWrite = (owner: string, id: string, assistants: string[]): Write => ({
  Update: {
    Key: toKnowledgeBaseKey(owner, id),
    UpdateExpression: 'DELETE assistants :done',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':done': new Set(assistants) },
  },
  toError: () => new RowMissing(),
});

class RowMissing extends Error {}

/** Writes to a row unless it no longer exists. */
async function writeIfExists(change: Write): Promise<void> {
  await write(change).catch((error) => {
    if (!(error instanceof RowMissing)) throw error;
  });
}

/** Time after which a request leaves the rest of a deletion to the queue, in milliseconds. */
const requestMs = 5_000;

/**
 * Deletes a knowledge base: stores a deletion marker, hides the record
 * in one transaction with the extra writes, deletes the files, detaches the assistants,
 * then deletes the record. The queue or the next request completes a deletion that is interrupted or takes too long. Eight round trips,
 * plus one per assistant and one per 25 assistants. Throws NotFound, or Conflict if it is attached and `force` is not set.
 */
export async function erase(
  owner: string,
  id: string,
  force: boolean,
  buildExtraWrites: (knowledgeBase: StoredKnowledgeBase) => Write[],
): Promise<void> {
  const deadline = Date.now() + requestMs;
  const row = await get(toKnowledgeBaseKey(owner, id));
  if (!row) throw notFound();
  const hasStarted = row.deleting !== undefined;
  if (!hasStarted && row.assistants && !force) throw toInUseError(row);
  await files.put(toErasureKey(owner, id), new Uint8Array()); // also for the rest of a deletion that the queue may have given up
  if (!hasStarted) {
    await write(buildHideWrite(owner, id, force), ...buildExtraWrites(row as unknown as StoredKnowledgeBase));
  }
  // If it is gone after we have hidden it, the queue or another request has completed the deletion.
  if ((await continueErasure({ owner, id }, deadline)) === 'nothing to erase' && hasStarted) throw notFound();
}

/** Returns true if a knowledge base is deleted, or being deleted. False if the table does not answer at once. One round trip. */
export async function isDeleted({ owner, id }: KnowledgeBaseRef): Promise<boolean> {
  const row = await getOnce(toKnowledgeBaseKey(owner, id));
  return row === undefined || (row !== 'unknown' && row.deleting !== undefined);
}

/** Returns the knowledge base of a deletion marker's S3 event. Undefined for other events. */
export const parseErasureEvent = (detail: FileEvent): KnowledgeBaseRef | undefined =>
  parseFileEvent('erasures', detail);

/**
 * Deletes the marker of a deletion that is complete. Returns false if the record still exists, or the table does not answer at once. Two
 * round trips.
 */
export async function clearMarker({ owner, id }: KnowledgeBaseRef): Promise<boolean> {
  if (await getOnce(toKnowledgeBaseKey(owner, id))) return false;
  await files.remove(toErasureKey(owner, id));
  return true;
}

/**
 * Continues a deletion that has started until it is complete, or until the deadline, in milliseconds since 1970. Five round trips or
 * more, see `erase`.
 */
export async function continueErasure(
  { owner, id }: KnowledgeBaseRef,
  deadline: number,
): Promise<'erased' | 'unfinished' | 'nothing to erase'> {
  const Key = toKnowledgeBaseKey(owner, id);
  // Read after hiding: from then on nothing is attached to it, and its ingestion stores no result.
  const row = await get(Key);
  if (row?.deleting === undefined) {
    await files.remove(toErasureKey(owner, id));
    return 'nothing to erase';
  }
  await removeDocument(owner, id);
  const assistants = [...((row.assistants as Set<string> | undefined) ?? [])];
  for (const batch of toBatches(assistants, batchSize)) {
    if (Date.now() > deadline) return 'unfinished';
    await Promise.all(batch.map((assistantId) => writeIfExists(buildDetachWrite(owner, assistantId, id))));
    await writeIfExists(buildProgressWrite(owner, id, batch));
  }
  await write({ Delete: { Key } });
  await files.remove(toErasureKey(owner, id)); // last: without a marker, nothing would complete the deletion
  return 'erased';
}
