import { clearMarker, parseErasureEvent } from '../shared/store/knowledge-bases/erasure.ts';
import { enqueueErasure } from '../shared/store/knowledge-bases/erasure-queue.ts';
import { enqueueDocument } from '../shared/store/knowledge-bases/ingestion-queue.ts';
import {
  type FileEvent,
  type KnowledgeBaseRef,
  parseUploadEvent,
  removeUpload,
} from '../shared/store/knowledge-bases/uploads.ts';
import { createQueueHandler, Postponed } from '../shared/triggers/queue.ts';

/**
 * Handles S3 events of new files: queues each document, and each interrupted deletion, in the queue of its owner. Opens no file and
 * completes no deletion, so that no user delays others.
 */
export const handler = createQueueHandler('intake', async ({ detail, attempt }) => {
  const erasure = parseErasureEvent(detail);
  if (erasure) return takeErasure(erasure, detail, attempt);
  const upload = parseUploadEvent(detail);
  if (!upload) return { outcome: 'not awaited' };
  const isQueued = await enqueueDocument(upload, detail);
  if (!isQueued) await removeUpload(upload);
  return { knowledge_base: upload.id, outcome: isQueued ? 'queued' : 'too late' };
});

/** Queues a deletion that is not complete when its message is delivered again: the request that began it may still be running before. */
async function takeErasure(erasure: KnowledgeBaseRef, detail: FileEvent, attempt: number): Promise<object> {
  const facts = { knowledge_base: erasure.id };
  if (await clearMarker(erasure)) return { ...facts, outcome: 'nothing to erase' };
  if (attempt === 1) throw new Postponed(facts);
  await enqueueErasure(erasure, detail);
  return { ...facts, outcome: 'queued' };
}
