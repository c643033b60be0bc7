import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { Loading } from './loading.tsx';

/** A query, or several as one. */
export interface Asked<T> {
  data: T | undefined;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
}

interface Props<T> {
  query: Asked<T>;
  /** In its place while it is on its way. */
  loading?: ReactNode;
  children: (data: T) => ReactNode;
}

/** What a query gives, or that it is on its way, or why it failed. What was read before stays while it is read again. */
export function Answer<T>({ query, loading = <Loading />, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return loading;
}
