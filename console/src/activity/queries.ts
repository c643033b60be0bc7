import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { getPageSize } from '../api/pagination.ts';
import { type Filter, toQuery } from './filter.ts';

const refreshIntervalMs = 30_000;

/** Query for the events of a filter, newest first, page by page. Polls while only the first page is loaded. */
export const eventsQuery = (filter: Filter) =>
  infiniteQueryOptions({
    queryKey: ['events', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { limit: getPageSize(cursor), cursor, ...toQuery(filter) };
      const { data } = await api.GET('/logs/audit', { params: { query }, signal });
      return data.data;
    },
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 ? refreshIntervalMs : false),
    staleTime: 0,
  });
