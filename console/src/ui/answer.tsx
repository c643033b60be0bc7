import { Button, Group, Text } from '@mantine/core';
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
  /** Whether it is what was read before that is there, since reading it anew has failed. */
  isRefetchError: boolean;
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
 * What a query gives, or that it is on its way, or why it failed. What was read before stays while it is read again, and,
 * below a line that says so, where that fails. What turns out to be gone stays, too: whoever shows it says that.
 */
export function Answer<T>({ query, loading = <Loading />, children }: Props<T>) {
  const { data, error } = query;
  const isGone = isNowhere(error);
  if (data !== undefined) {
    return (
      <>
        {query.isRefetchError && !isGone && <Old query={query} />}
        {children(data)}
      </>
    );
  }
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

/** What is shown may have changed since. */
const Old = ({ query: { fetchStatus, refetch } }: { query: Asked<unknown> }) => (
  <Group gap="xs" mb="sm">
    <Text size="sm" c="dimmed" role="status">
      {common.old}
    </Text>
    <Button variant="subtle" size="compact-sm" loading={fetchStatus === 'fetching'} onClick={() => void refetch()}>
      {common.tryAgain}
    </Button>
  </Group>
);

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
