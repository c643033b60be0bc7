import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { ignoreNotFound, isNotFound } from '../api/api-error.ts';
import { api } from '../api/client.ts';
import { updateLists } from '../api/list-cache.ts';
import { getPageSize } from '../api/pagination.ts';
import { knowledgeBasesKey, refreshKnowledge, searchesKey } from '../api/refresh.ts';
import type { KnowledgeBase } from '../api/types.ts';
import { getPollDelayMs } from './poll-delay.ts';

const listKey = [...knowledgeBasesKey, 'list'] as const;
const toPathParams = (knowledge_base_id: string) => ({ path: { knowledge_base_id } });

/** Query for the knowledge bases, newest first, page by page. */
export const knowledgeBasesQuery = infiniteQueryOptions({
  queryKey: listKey,
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ pageParam: cursor, signal }) => {
    const query = { limit: getPageSize(cursor), cursor };
    const { data } = await api.GET('/assistants/knowledge-base', { params: { query }, signal });
    return data.data;
  },
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
});

/** Query for a knowledge base. Polls until its file has been parsed, then invalidates searches, which now find it. */
export const knowledgeBaseQuery = (id: string) =>
  queryOptions({
    queryKey: [...knowledgeBasesKey, 'one', id],
    queryFn: async ({ signal, client, queryKey }) => {
      const path = '/assistants/knowledge-base/{knowledge_base_id}';
      const { data } = await api.GET(path, { params: toPathParams(id), signal });
      const before = client.getQueryData<KnowledgeBase>(queryKey);
      if (before?.status === 'processing' && data.data.status === 'ready')
        void client.invalidateQueries({ queryKey: searchesKey });
      return data.data;
    },
    refetchInterval: ({ state: { data, error } }) =>
      data?.status === 'processing' && !isNotFound(error)
        ? getPollDelayMs(Date.now() - Date.parse(data.created_at))
        : false,
  });

/** Finds the passages that match a question in the knowledge bases of an assistant, as its worker does in a call. */
async function searchAttached(assistant_id: string, query: string, signal: AbortSignal) {
  const params = { path: { assistant_id } };
  const { data } = await api.POST('/assistants/{assistant_id}/search', { params, body: { query }, signal });
  return data.data.passages;
}

/** Finds the passages that match a question in the newest knowledge bases. */
async function searchNewest(query: string, signal: AbortSignal) {
  const { data } = await api.POST('/search/only', { body: { query, limit: 10 }, signal });
  return data.data.passages;
}

/** Query for the passages that match a question, best first: in the knowledge bases of an assistant, or else in the newest. */
export const searchQuery = (assistantId: string | undefined, query: string) =>
  queryOptions({
    queryKey: [...searchesKey, assistantId ?? 'newest', query],
    queryFn: ({ signal }) =>
      assistantId === undefined ? searchNewest(query, signal) : searchAttached(assistantId, query, signal),
  });

/** Deletes a knowledge base; with `force`, even if it is attached. Throws ApiError. */
export const deleteKnowledgeBase = (id: string, force: boolean) =>
  api.DELETE('/assistants/knowledge-base/{knowledge_base_id}', {
    params: { ...toPathParams(id), query: force ? { force: 'true' } : {} },
  });

/** Removes a deleted knowledge base from the cache. */
export async function removeFromCache(cache: QueryClient, id: string): Promise<void> {
  cache.removeQueries({ queryKey: knowledgeBaseQuery(id).queryKey });
  await updateLists(cache, listKey, (page: { knowledge_bases: KnowledgeBase[] }) => ({
    ...page,
    knowledge_bases: page.knowledge_bases.filter((one) => one.id !== id),
  }));
  await refreshKnowledge(cache);
}

/** Detaches a knowledge base from an assistant, if it is attached. Throws ApiError. */
export const detachKnowledgeBase = (assistantId: string, id: string) =>
  api
    .DELETE('/assistants/{assistant_id}/knowledge-bases/{knowledge_base_id}', {
      params: { path: { assistant_id: assistantId, knowledge_base_id: id } },
    })
    .catch(ignoreNotFound);

/** Returns the newer of two records: a row of the list may be older than a read of the document. */
export const pickNewer = (one: KnowledgeBase, other: KnowledgeBase | undefined): KnowledgeBase =>
  other && other.updated_at > one.updated_at ? other : one;
