import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { components } from '../api/schema.d.ts';
import type { Log } from '../api/types.ts';
import { callQuery } from './queries.ts';

type Answered = components['schemas'];

/** A call as a listing has it, and what its log says besides. */
export type CallSession = Answered['Session'] & {
  recording_url: string | null;
  metadata: Record<string, unknown> | null;
  extra: Record<string, unknown>;
};

/** A call, as far as it has been read. */
export interface WholeCall {
  session: CallSession;
  logs: Log[];
  isComplete: boolean;
}

/** Reads a call to its end, answer by answer. What has come is there at once. */
export function useWholeCall(id: string) {
  const query = useInfiniteQuery(callQuery(id));
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each answer, it looks again
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [data, hasNextPage, isFetching, isError]);
  const call = useMemo((): WholeCall | undefined => {
    const first = data?.pages[0];
    return first && { session: first.session, logs: data.pages.flatMap(({ logs }) => logs), isComplete: !hasNextPage };
  }, [data, hasNextPage]);
  return { query, call };
}
