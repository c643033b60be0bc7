import { queueFunction } from '../shared/queue-function.ts';
import { erasureAt, goOn } from '../shared/store/erasure.ts';

/** Ends the deletion of a knowledge base that was broken off, so that nothing of it stays that nobody can see. */
export const handler = queueFunction('sweep', async ({ detail }) => {
  const erasure = erasureAt(detail);
  if (!erasure) return { outcome: 'no erasure' };
  const { owner, id } = erasure;
  return { knowledge_base: id, outcome: (await goOn(owner, id)) ? 'erased' : 'nothing to do' };
});
