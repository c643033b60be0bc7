import { QueryClient } from '@tanstack/react-query';
import { getRetryDelayMs, shouldRetry } from '../../../clients/typescript/src/retry.ts';
import { refetchDefaults } from './list-cache.ts';

/**
 * Cache of API reads. Reads are retried if that is safe. Writes are never retried, and fail immediately when offline.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: shouldRetry, retryDelay: getRetryDelayMs, ...refetchDefaults },
    mutations: { retry: false, networkMode: 'always' },
  },
});
