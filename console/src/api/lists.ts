import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';

/** How many pages of a list are read again: by a request each, one after the other. */
const mostPages = 4;

interface Read {
  state: { data: unknown };
}

const isPaged = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages);
const isLong = ({ state: { data } }: Read) => isPaged(data) && data.pages.length > mostPages;

const isShort = (query: Read) => !isLong(query);

/** By itself something is read again only where that takes a few requests. */
export const whileShort = { refetchOnMount: isShort, refetchOnWindowFocus: isShort, refetchOnReconnect: isShort };

/**
 * Has what a write may have changed read again. Of long lists the first pages stay and are read again; the others are, as at
 * first, when somebody scrolls there.
 */
export async function readAgain(cache: QueryClient, queryKey: QueryKey): Promise<void> {
  cache.setQueriesData<InfiniteData<unknown>>(
    { queryKey, predicate: isLong },
    (list) => list && { pages: list.pages.slice(0, mostPages), pageParams: list.pageParams.slice(0, mostPages) },
  );
  await cache.invalidateQueries({ queryKey });
}
