import type { QueryClient } from '@tanstack/react-query';
import { invalidate, invalidateFromTop } from './list-cache.ts';

export const knowledgeBasesKey = ['knowledge-bases'] as const;
export const searchesKey = ['search'] as const;

const createRefresh = (invalidateList: typeof invalidate) => (cache: QueryClient) =>
  Promise.all([
    invalidateList(cache, knowledgeBasesKey),
    invalidate(cache, searchesKey),
    invalidate(cache, ['assistants']),
  ]);

/** Invalidates all reads that a change of knowledge bases or of attachments may affect. */
export const refreshKnowledge = createRefresh(invalidate);

/** Does the same after a knowledge base may have been created. */
export const refreshKnowledgeWithNew = createRefresh(invalidateFromTop);
