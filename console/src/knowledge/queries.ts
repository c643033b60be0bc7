import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { answer, api } from '../api/client.ts';
import { changeLists, readAgain, readFromTop } from '../api/lists.ts';
import { limitAt } from '../api/pages.ts';
import { isNowhere, unlessGone } from '../api/problem.ts';
import type { KnowledgeBase } from '../api/types.ts';
import { pollDelay } from './poll-delay.ts';

const all = ['knowledge-bases'] as const;
const list = [...all, 'list'] as const;
const searches = ['search'] as const;
const pathOf = (knowledge_base_id: string) => ({ path: { knowledge_base_id } });

/** The knowledge bases, newest first, page by page. */
export const knowledgeBasesQuery = infiniteQueryOptions({
  queryKey: list,
  initialPageParam: undefined as string | undefined,
  queryFn: async ({ pageParam: cursor, signal }) => {
    const query = { limit: limitAt(cursor), cursor };
    const { data } = await answer(api.GET('/assistants/knowledge-base', { params: { query }, signal }));
    return data.data;
  },
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
});

/** One knowledge base, which is read again and again until its file has been read: then searches find what is in it. */
export const knowledgeBaseQuery = (id: string) =>
  queryOptions({
    queryKey: [...all, 'one', id],
    queryFn: async ({ signal, client, queryKey }) => {
      const path = '/assistants/knowledge-base/{knowledge_base_id}';
      const { data } = await answer(api.GET(path, { params: pathOf(id), signal }));
      const before = client.getQueryData<KnowledgeBase>(queryKey);
      if (before?.status === 'processing' && data.data.status === 'ready')
        void client.invalidateQueries({ queryKey: searches });
      return data.data;
    },
    refetchInterval: ({ state: { data, error } }) =>
      data?.status === 'processing' && !isNowhere(error) ? pollDelay(Date.now() - Date.parse(data.created_at)) : false,
  });

/** The passages of an assistant's knowledge bases that fit a question, the best first. */
export const searchQuery = (assistant_id: string, query: string) =>
  queryOptions({
    queryKey: [...searches, assistant_id, query],
    queryFn: async ({ signal }) => {
      const params = { path: { assistant_id } };
      const { data } = await answer(api.POST('/assistants/{assistant_id}/search', { params, body: { query }, signal }));
      return data.data.passages;
    },
  });

const refreshBy = (read: typeof readAgain) => (cache: QueryClient) =>
  Promise.all([read(cache, all), readAgain(cache, searches), readAgain(cache, ['assistants'])]);

/** Has everything read again that a change of knowledge bases, or of what they are attached to, may have changed. */
export const refresh = refreshBy(readAgain);

/** The same where there may be new ones. */
export const refreshWithNew = refreshBy(readFromTop);

/** Deletes a knowledge base; with `force`, also one that is attached. Throws Problem. */
export const deleteKnowledgeBase = (id: string, force: boolean) =>
  answer(
    api.DELETE('/assistants/knowledge-base/{knowledge_base_id}', {
      params: { ...pathOf(id), query: force ? { force: 'true' } : {} },
    }),
  );

/** Takes a knowledge base that is gone out of the cache. */
export async function forget(cache: QueryClient, id: string): Promise<void> {
  cache.removeQueries({ queryKey: knowledgeBaseQuery(id).queryKey });
  await changeLists(cache, list, (page: { knowledge_bases: KnowledgeBase[] }) => ({
    ...page,
    knowledge_bases: page.knowledge_bases.filter((one) => one.id !== id),
  }));
  await refresh(cache);
}

/** Detaches a knowledge base from an assistant, if it is attached. Throws Problem. */
export const detach = (assistantId: string, id: string) =>
  answer(
    api.DELETE('/assistants/{assistant_id}/knowledge-bases/{knowledge_base_id}', {
      params: { path: { assistant_id: assistantId, knowledge_base_id: id } },
    }),
  ).catch(unlessGone);

/** The record as it was read last: a row of the list may be older than what was read of it alone. */
export const newer = (one: KnowledgeBase, other: KnowledgeBase | undefined): KnowledgeBase =>
  other && other.updated_at > one.updated_at ? other : one;
