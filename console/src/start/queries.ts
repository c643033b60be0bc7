import { useQueries } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { usePermissions } from '../api/identity.ts';
import type { Session } from '../api/types.ts';
import { credentialsQuery } from '../credentials/queries.ts';
import { keysQuery } from '../keys/queries.ts';
import type { QueryState } from '../ui/loading/query-view.tsx';
import type { UserData } from './progress.ts';

/** Poll interval while waiting for a first call, in milliseconds. */
const pollIntervalMs = 10_000;

/**
 * Query for the newest assistants: a user with more of them has completed the steps long ago. Invalidated with the
 * lists of assistants.
 */
const newestQuery = {
  queryKey: ['assistants', 'list', null, 'newest'], // cannot equal a searched name
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await api.GET('/assistants', { params: { query: { limit: 20 } }, signal })).data,
  staleTime: 0,
};

const lastCallsQuery = {
  queryKey: ['calls', 'newest'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { data } = await api.GET('/logs/chat-sessions', { params: { query: { limit: 5 } }, signal });
    return data.data.sessions;
  },
  staleTime: 0,
  refetchInterval: ({ state }: { state: { data?: Session[] | undefined } }) =>
    state.data?.length ? false : pollIntervalMs,
};

/** Reads everything that the steps depend on, in four concurrent requests, or three if the user may not see API keys. */
export function useUserData(): QueryState<UserData> {
  const hasKeys = usePermissions()('all');
  return useQueries({
    queries: [newestQuery, credentialsQuery, lastCallsQuery, { ...keysQuery, enabled: hasKeys }],
    combine: (all) => {
      const [{ data: assistants }, { data: credentials }, { data: lastCalls }, keysResult] = all;
      const keys = hasKeys ? keysResult.data : null;
      const results = hasKeys ? all : all.slice(0, -1);
      const isLoaded = assistants && credentials && keys !== undefined && lastCalls;
      return {
        data: isLoaded ? { assistants, credentials, keys, lastCalls } : undefined,
        isError: results.some(({ isError }) => isError),
        isRefetchError: results.some(({ isRefetchError }) => isRefetchError),
        error: results.find(({ isError }) => isError)?.error,
        failureReason: results.find(({ failureReason }) => failureReason)?.failureReason,
        fetchStatus: results.some(({ fetchStatus }) => fetchStatus === 'paused') ? 'paused' : 'idle',
        refetch: () => Promise.all(results.map(({ refetch }) => refetch())),
      };
    },
  });
}
