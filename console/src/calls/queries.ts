import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { answer, api } from '../api/client.ts';
import { changeLists, readAgain } from '../api/lists.ts';
import { limitAt } from '../api/pages.ts';
import type { Session } from '../api/types.ts';
import { asked, type Filter } from './filter.ts';

const all = ['calls'] as const;
const lists = [...all, 'list'] as const;
const pathOf = (session_id: string) => ({ path: { session_id } });

const halfMinute = 30_000;

/**
 * The calls of a filter, newest first, page by page; `find` looks among what was read. While one looks at the first page, it is read
 * again and again.
 */
export const callsQuery = ({ find: _, ...filter }: Filter) =>
  infiniteQueryOptions({
    queryKey: [...lists, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { limit: limitAt(cursor), cursor, ...asked(filter) };
      const { data } = await answer(api.GET('/logs/chat-sessions', { params: { query }, signal }));
      return data.data;
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 ? halfMinute : false),
  });

/** One call with its transcript, of which an answer carries so much as it can. */
export const callQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...all, 'one', id],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const params = { ...pathOf(id), query: { cursor } };
      const { data } = await answer(api.GET('/logs/chat-logs/{session_id}', { params, signal }));
      return data.data;
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    // It may have megabytes, and seldom grows: only one who is told it all again by a worker does.
    staleTime: 5 * 60_000,
  });

/** Deletes a call with its transcript. Throws Problem. */
export const deleteCall = (id: string) => answer(api.DELETE('/logs/chat-logs/{session_id}', { params: pathOf(id) }));

/** Takes a call that is gone out of the cache. */
export async function forget(cache: QueryClient, id: string): Promise<void> {
  cache.removeQueries({ queryKey: callQuery(id).queryKey });
  await changeLists(cache, lists, (page: { sessions: Session[] }) => ({
    ...page,
    sessions: page.sessions.filter((one) => one.session_id !== id),
  }));
  await readAgain(cache, all);
}
