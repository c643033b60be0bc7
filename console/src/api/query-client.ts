import { QueryClient } from '@tanstack/react-query';
import { refetchDefaults } from './list-cache.ts';
import { getRetryDelayMs, shouldRetryRead } from './retry.ts';

/**
 * Cache of API reads. Reads are retried if that is safe. Writes are never retried, and fail immediately when offline.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: shouldRetryRead, retryDelay: getRetryDelayMs, ...refetchDefaults },
    mutations: { retry: false, networkMode: 'always' },
  },
});
