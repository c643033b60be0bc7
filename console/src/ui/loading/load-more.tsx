import { Box } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Failure } from '../feedback/failure.tsx';
import { Loading } from './loading.tsx';

interface Props {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetching' | 'isFetchNextPageError' | 'fetchNextPage' | 'error' | 'data'
  >;
}

/** End of a paged list. Fetches the next page as it nears the viewport. */
export function LoadMore({ query }: Props) {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, error, data } = query;
  const { ref, entry } = useIntersection({ rootMargin: '400px' });
  const isNear = entry?.isIntersecting ?? false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: checks again after each page
  useEffect(() => {
    if (isNear && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [isNear, hasNextPage, isFetching, isFetchNextPageError, data]);
  if (isFetchNextPageError) return <Failure error={error} onRetry={() => void fetchNextPage()} />;
  return (
    hasNextPage && (
      <Box ref={ref} p="md">
        <Loading rows={1} />
      </Box>
    )
  );
}
