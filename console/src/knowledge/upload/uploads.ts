import { useSyncExternalStore } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { knowledge as text } from '../../strings/knowledge.ts';
import { notifyDone } from '../../ui/notify.ts';
import { refreshWithNew } from '../queries.ts';
import { wayOf } from './choice.ts';
import { type Upload, uploadQueue } from './queue.ts';
import { send } from './send.ts';

/** The uploads of this tab, whichever page they were begun on. */
export const uploads = uploadQueue(async (upload, following) => {
  try {
    await send(upload, wayOf(upload.file), following);
  } catch (error) {
    // What was cancelled late, or whose answer was lost, may have arrived all the same.
    void refreshWithNew(queryClient);
    throw error;
  }
  // Its row is there before the bar goes.
  await refreshWithNew(queryClient);
  notifyDone(text.uploaded(upload.file.name));
});

// They go on while one looks at other pages, and end with the tab.
addEventListener('beforeunload', (event) => {
  if (uploads.all().some(isUnderWay)) event.preventDefault();
});

export const isUnderWay = ({ state }: Upload): boolean => state !== 'failed';

/** The uploads that are on their way to an assistant or, without one, all. */
export function useUploads(assistantId?: string): Upload[] {
  const all = useSyncExternalStore(uploads.subscribe, uploads.all);
  return all.filter((upload) => assistantId === undefined || upload.assistantId === assistantId);
}
