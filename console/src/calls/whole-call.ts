import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { components } from '../../../clients/typescript/src/schema.d.ts';
import type { Log } from '../api/types.ts';
import { callQuery } from './queries.ts';

type Schemas = components['schemas'];

/** A call as listed, and the additional fields of its log. */
export type CallSession = Schemas['Session'] & {
  recording_url: string | null;
  metadata: Record<string, unknown> | null;
  extra: Record<string, unknown>;
};

/** A call and the items that have loaded. */
export interface WholeCall {
  session: CallSession;
  logs: Log[];
  isComplete: boolean;
}

/** Loads all pages of a call. Returns what has loaded, even before the last page. */
export function useWholeCall(id: string) {
  const query = useInfiniteQuery(callQuery(id));
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: checks again after each page
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [data, hasNextPage, isFetching, isError]);
  const call = useMemo((): WholeCall | undefined => {
    const first = data?.pages[0];
    return first && { session: first.session, logs: data.pages.flatMap(({ logs }) => logs), isComplete: !hasNextPage };
  }, [data, hasNextPage]);
  return { query, call };
}
