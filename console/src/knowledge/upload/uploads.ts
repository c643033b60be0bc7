import { useSyncExternalStore } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { refreshKnowledgeWithNew } from '../../api/refresh.ts';
import { knowledge as text } from '../../strings/knowledge.ts';
import { notifyDone } from '../../ui/feedback/notify.ts';
import { getUploadMethod } from './file-check.ts';
import { sendUpload } from './send-upload.ts';
import { createUploadQueue, type Upload } from './upload-queue.ts';

/** Uploads of this tab, from all pages. */
export const uploads = createUploadQueue(async (upload, options) => {
  try {
    await sendUpload(upload, getUploadMethod(upload.file), options);
  } catch (error) {
    // An upload that was cancelled late, or lost its response, may have arrived.
    void refreshKnowledgeWithNew(queryClient);
    throw error;
  }
  // Refreshes first, so that the new row is there before the progress bar disappears.
  await refreshKnowledgeWithNew(queryClient);
  notifyDone(text.uploaded(upload.file.name));
});

// Closing the tab aborts uploads, so the browser asks.
addEventListener('beforeunload', (event) => {
  if (uploads.getAll().some(isActive)) event.preventDefault();
});

export const isActive = ({ state }: Upload): boolean => state !== 'failed';

/** Returns the uploads to one assistant, or all. */
export function useUploads(assistantId?: string): Upload[] {
  const all = useSyncExternalStore(uploads.subscribe, uploads.getAll);
  return all.filter((upload) => assistantId === undefined || upload.assistantId === assistantId);
}
