import { parseErasureEvent, resumeErasure } from '../shared/store/knowledge-bases/erasure.ts';
import { enqueueDocument } from '../shared/store/knowledge-bases/ingestion-queue.ts';
import { parseUploadEvent, removeUpload } from '../shared/store/knowledge-bases/uploads.ts';
import { createQueueHandler } from '../shared/triggers/queue.ts';

/**
 * Handles S3 events of new files. Completes interrupted deletions, and queues each document in the queue of its owner.
 * Never opens a file, so that no document delays those of other users.
 */
export const handler = createQueueHandler('intake', async ({ detail, attempt }) => {
  const erasure = parseErasureEvent(detail);
  if (erasure) return resumeErasure(erasure, attempt);
  const upload = parseUploadEvent(detail);
  if (!upload) return { outcome: 'not awaited' };
  const isQueued = await enqueueDocument(upload, detail);
  if (!isQueued) await removeUpload(upload);
  return { knowledge_base: upload.id, outcome: isQueued ? 'queued' : 'too late' };
});
