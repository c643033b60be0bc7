import { QueryClient } from '@tanstack/react-query';
import { whileShort } from './lists.ts';
import { retriesRead, retryDelay } from './retry.ts';

/** The cache of what was read. Reads are tried again where that is safe; writes never are, and fail at once when offline. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: retriesRead, retryDelay, ...whileShort },
    mutations: { retry: false, networkMode: 'always' },
  },
});
