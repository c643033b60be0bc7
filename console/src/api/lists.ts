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

/** Has what a write may have changed read again, but for long lists: what it changed in them, `changeLists` puts there. */
export const readAgain = (cache: QueryClient, queryKey: QueryKey): Promise<void> =>
  cache.invalidateQueries({ queryKey, predicate: isShort });

/**
 * Has the same read again after something new was made, which comes first. Of long lists the first pages stay and are read again;
 * the others are, as at first, when somebody scrolls there.
 */
export async function readFromTop(cache: QueryClient, queryKey: QueryKey): Promise<void> {
  cache.setQueriesData<InfiniteData<unknown>>(
    { queryKey, predicate: isLong },
    (list) => list && { pages: list.pages.slice(0, mostPages), pageParams: list.pageParams.slice(0, mostPages) },
  );
  await cache.invalidateQueries({ queryKey });
}

/**
 * Changes the pages of lists as a write has that leaves their order, however long they are: nobody loses their place. What is on
 * its way from before would come over it, and is for `readAgain`.
 */
export async function changeLists<P>(cache: QueryClient, queryKey: QueryKey, change: (page: P) => P): Promise<void> {
  await cache.cancelQueries({ queryKey });
  cache.setQueriesData<InfiniteData<P>>(
    { queryKey, predicate: ({ state }) => isPaged(state.data) },
    (list) => list && { ...list, pages: list.pages.map(change) },
  );
}
