import { queueFunction } from '../shared/queue-function.ts';
import { erasureAt, sweep } from '../shared/store/erasure.ts';
import { enqueueReading } from '../shared/store/reading-queue.ts';
import { uploadAt } from '../shared/store/uploads.ts';

/**
 * Handles what S3 tells of new files: ends a deletion that was broken off, and puts a document into its owner's queue. It never
 * opens a file, so that no document delays another user's.
 */
export const handler = queueFunction('intake', async ({ detail, attempt }) => {
  const erasure = erasureAt(detail);
  if (erasure) return sweep(erasure, attempt);
  const upload = uploadAt(detail);
  if (!upload) return { outcome: 'not awaited' };
  await enqueueReading(upload, detail);
  return { knowledge_base: upload.id, outcome: 'queued' };
});
