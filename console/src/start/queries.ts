import { useQueries } from '@tanstack/react-query';
import { answer, api } from '../api/client.ts';
import type { Session } from '../api/types.ts';
import { credentialsQuery } from '../credentials/queries.ts';
import { keysQuery } from '../keys/queries.ts';
import type { Asked } from '../ui/answer.tsx';
import type { Facts } from './progress.ts';

/** Milliseconds between looks at what a program may change meanwhile, as long as there is something to wait for. */
const lookEvery = 10_000;

/** The newest assistants: whoever has more has long made a first one. Read anew with the lists of assistants. */
const newestQuery = {
  queryKey: ['assistants', 'list', null, 'newest'], // no name that somebody looks for
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await answer(api.GET('/assistants', { params: { query: { limit: 20 } }, signal }))).data,
  staleTime: 0,
};

const lastCallsQuery = {
  queryKey: ['calls', 'newest'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { data } = await answer(api.GET('/logs/chat-sessions', { params: { query: { limit: 5 } }, signal }));
    return data.data.sessions;
  },
  staleTime: 0,
  refetchInterval: ({ state }: { state: { data?: Session[] | undefined } }) => (state.data?.length ? false : lookEvery),
};

/** All that the steps depend on, in four requests at once. */
export const useFacts = (): Asked<Facts> =>
  useQueries({
    queries: [newestQuery, credentialsQuery, keysQuery, lastCallsQuery],
    combine: (results) => {
      const [{ data: assistants }, { data: credentials }, { data: keys }, { data: lastCalls }] = results;
      const isThere = assistants && credentials && keys && lastCalls;
      return {
        data: isThere ? { assistants, credentials, keys, lastCalls } : undefined,
        isError: results.some(({ isError }) => isError),
        isRefetchError: results.some(({ isRefetchError }) => isRefetchError),
        error: results.find(({ isError }) => isError)?.error,
        failureReason: results.find(({ failureReason }) => failureReason)?.failureReason,
        fetchStatus: results.some(({ fetchStatus }) => fetchStatus === 'paused') ? 'paused' : 'idle',
        refetch: () => Promise.all(results.map(({ refetch }) => refetch())),
      };
    },
  });
