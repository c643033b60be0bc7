import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { invalidate, updateLists } from '../api/list-cache.ts';
import { getPageSize } from '../api/pagination.ts';
import type { Session } from '../api/types.ts';
import { type Filter, toQuery } from './filter.ts';

const rootKey = ['calls'] as const;
const listsKey = [...rootKey, 'list'] as const;
const toPathParams = (session_id: string) => ({ path: { session_id } });

const refreshIntervalMs = 30_000;

/**
 * Query for the calls of a filter, newest first, page by page. Polls while only the first page is loaded. Ignores
 * `find`, which searches loaded calls.
 */
export const callsQuery = ({ find: _, ...filter }: Filter) =>
  infiniteQueryOptions({
    queryKey: [...listsKey, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { limit: getPageSize(cursor), cursor, ...toQuery(filter) };
      const { data } = await api.GET('/logs/chat-sessions', { params: { query }, signal });
      return data.data;
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 ? refreshIntervalMs : false),
  });

/** Query for a call with its transcript, page by page, since a response has a size limit. */
export const callQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...rootKey, 'one', id],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const params = { ...toPathParams(id), query: { cursor } };
      const { data } = await api.GET('/logs/chat-logs/{session_id}', { params, signal });
      return data.data;
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    // A call can have megabytes and rarely changes: only if a worker saves a longer version.
    staleTime: 5 * 60_000,
  });

export const deleteCall = (id: string) => api.DELETE('/logs/chat-logs/{session_id}', { params: toPathParams(id) });

/** Removes a deleted call from the cache. */
export async function removeFromCache(cache: QueryClient, id: string): Promise<void> {
  cache.removeQueries({ queryKey: callQuery(id).queryKey });
  await updateLists(cache, listsKey, (page: { sessions: Session[] }) => ({
    ...page,
    sessions: page.sessions.filter((one) => one.session_id !== id),
  }));
  await invalidate(cache, rootKey);
}
