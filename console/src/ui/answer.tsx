import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { isNowhere } from '../api/problem.ts';
import { common } from '../strings/common.ts';
import { Failure } from './failure.tsx';
import { Loading } from './loading.tsx';
import { told, toldOfRead } from './told.ts';

/** A query, or several as one. */
export interface Asked<T> {
  data: T | undefined;
  isError: boolean;
  error: unknown;
  /** Why the last attempt failed, while it is tried again. */
  failureReason: unknown;
  /** `paused`: until the network is back. */
  fetchStatus: 'fetching' | 'paused' | 'idle';
  refetch: () => unknown;
}

interface Props<T> {
  query: Asked<T>;
  /** In its place while it is on its way. */
  loading?: ReactNode;
  children: (data: T) => ReactNode;
}

/**
 * What a query gives, or that it is on its way, or why it failed. What was read before stays while it is read again, and
 * where that fails, but not where it turns out to be gone.
 */
export function Answer<T>({ query, loading = <Loading />, children }: Props<T>) {
  const { data, error } = query;
  const isGone = isNowhere(error);
  if (data !== undefined && !isGone) return children(data);
  if (query.isError) {
    const onRetry = isGone ? undefined : () => void query.refetch();
    return <Failure error={error} words={toldOfRead(error)} onRetry={onRetry} />;
  }
  return (
    <>
      <Delay query={query} />
      {loading}
    </>
  );
}

/** Why it takes longer than it should. */
function Delay({ query: { fetchStatus, failureReason } }: { query: Asked<unknown> }) {
  const isPaused = fetchStatus === 'paused';
  if (!isPaused && !failureReason) return null;
  return (
    <Text size="sm" c="dimmed" role="status" mb="sm">
      {isPaused ? common.waitingForNetwork : common.tryingAgain(told(failureReason).title)}
    </Text>
  );
}
