import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';

/** Maximum number of pages that are refetched automatically. Each page costs a request, one after the other. */
const maxRefetchedPages = 4;

interface CachedQuery {
  state: { data: unknown };
}

const isPaged = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages);
const isLong = ({ state: { data } }: CachedQuery) => isPaged(data) && data.pages.length > maxRefetchedPages;

const isCheapToRefetch = (query: CachedQuery) => !isLong(query);

/** Query defaults: refetch automatically only what takes a few requests. */
export const refetchDefaults = {
  refetchOnMount: isCheapToRefetch,
  refetchOnWindowFocus: isCheapToRefetch,
  refetchOnReconnect: isCheapToRefetch,
};

/** Invalidates cached reads, except long lists: `updateLists` applies changes to those in place. */
export const invalidate = (cache: QueryClient, queryKey: QueryKey): Promise<void> =>
  cache.invalidateQueries({ queryKey, predicate: isCheapToRefetch });

/**
 * Invalidates cached reads after a new item was added at the top. Long lists keep their first pages, which are
 * refetched, and load the rest on scroll.
 */
export async function invalidateFromTop(cache: QueryClient, queryKey: QueryKey): Promise<void> {
  cache.setQueriesData<InfiniteData<unknown>>(
    { queryKey, predicate: isLong },
    (list) =>
      list && {
        pages: list.pages.slice(0, maxRefetchedPages),
        pageParams: list.pageParams.slice(0, maxRefetchedPages),
      },
  );
  await cache.invalidateQueries({ queryKey });
}

/**
 * Updates the cached pages of lists in place, of any length, so that users keep their scroll position. For writes that
 * keep the order. Cancels reads in flight, which would overwrite the change: call `invalidate` afterwards.
 */
export async function updateLists<P>(cache: QueryClient, queryKey: QueryKey, change: (page: P) => P): Promise<void> {
  await cache.cancelQueries({ queryKey });
  cache.setQueriesData<InfiniteData<P>>(
    { queryKey, predicate: ({ state }) => isPaged(state.data) },
    (list) => list && { ...list, pages: list.pages.map(change) },
  );
}
