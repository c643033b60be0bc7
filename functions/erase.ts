import { continueErasure, parseErasureEvent } from '../shared/store/knowledge-bases/erasure.ts';
import { createQueueHandler, Postponed } from '../shared/triggers/queue.ts';

/** Completes interrupted deletions of knowledge bases, one of each owner at a time. */
export const handler = createQueueHandler('erase', async ({ detail, deadline }) => {
  const erasure = parseErasureEvent(detail);
  if (!erasure) return { outcome: 'not awaited' };
  const outcome = await continueErasure(erasure, deadline);
  if (outcome === 'unfinished') throw new Postponed({ knowledge_base: erasure.id });
  return { knowledge_base: erasure.id, outcome };
});
