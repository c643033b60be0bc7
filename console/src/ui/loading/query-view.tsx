import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { isNotFound } from '../../api/api-error.ts';
import { common } from '../../strings/common.ts';
import { describeError, describeReadError } from '../feedback/describe-error.ts';
import { Failure } from '../feedback/failure.tsx';
import { Loading } from './loading.tsx';

/** State of a query, or of several combined. */
export interface QueryState<T> {
  data: T | undefined;
  isError: boolean;
  /** True if `data` is stale because the refetch failed. */
  isRefetchError: boolean;
  error: unknown;
  /** Error of the last attempt, while a retry is pending. */
  failureReason: unknown;
  /** `paused`: waits until the browser is online. */
  fetchStatus: 'fetching' | 'paused' | 'idle';
  refetch: () => unknown;
}

interface Props<T> {
  query: QueryState<T>;
  /** Shown while the data loads. */
  loading?: ReactNode;
  children: (data: T) => ReactNode;
}

/**
 * Shows a query's data, its loading state or its error. Data stays visible during a refetch, and under a notice if the
 * refetch fails. Data that turns out to be deleted stays without a notice: the page reports that itself.
 */
export function QueryView<T>({ query, loading = <Loading />, children }: Props<T>) {
  const { data, error } = query;
  const isMissing = isNotFound(error);
  if (data !== undefined) {
    return (
      <>
        {query.isRefetchError && !isMissing && <StaleNotice query={query} />}
        {children(data)}
      </>
    );
  }
  if (query.isError) {
    const onRetry = isMissing ? undefined : () => void query.refetch();
    return <Failure error={error} description={describeReadError(error)} onRetry={onRetry} />;
  }
  return (
    <>
      <DelayNotice query={query} />
      {loading}
    </>
  );
}

/** Says that the data may be outdated. */
const StaleNotice = ({ query: { fetchStatus, refetch } }: { query: QueryState<unknown> }) => (
  <Group gap="xs" mb="sm">
    <Text size="sm" c="dimmed" role="status">
      {common.old}
    </Text>
    <Button variant="subtle" size="compact-sm" loading={fetchStatus === 'fetching'} onClick={() => void refetch()}>
      {common.tryAgain}
    </Button>
  </Group>
);

/** Explains why loading takes so long. */
function DelayNotice({ query: { fetchStatus, failureReason } }: { query: QueryState<unknown> }) {
  const isPaused = fetchStatus === 'paused';
  if (!isPaused && !failureReason) return null;
  return (
    <Text size="sm" c="dimmed" role="status" mb="sm">
      {isPaused ? common.waitingForNetwork : common.tryingAgain(describeError(failureReason).title)}
    </Text>
  );
}
