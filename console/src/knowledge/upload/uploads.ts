import { useSyncExternalStore } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { knowledge as text } from '../../strings/knowledge.ts';
import { notifyDone } from '../../ui/notify.ts';
import { refresh } from '../queries.ts';
import { wayOf } from './choice.ts';
import { type Upload, uploadQueue } from './queue.ts';
import { send } from './send.ts';

/** The uploads of this tab, whichever page they were begun on. */
export const uploads = uploadQueue(async (upload, following) => {
  try {
    await send(upload, wayOf(upload.file), following);
  } catch (error) {
    // Cancelled or without an answer, it may have been taken in all the same.
    void refresh(queryClient);
    throw error;
  }
  // Its row is there before the bar goes.
  await refresh(queryClient);
  notifyDone(text.uploaded(upload.file.name));
});

/** The uploads that are on their way to an assistant or, without one, to none. */
export function useUploads(assistantId?: string): Upload[] {
  return useSyncExternalStore(uploads.subscribe, uploads.all).filter((upload) => upload.assistantId === assistantId);
}
