import { PhoneIcon } from '@heroicons/react/24/outline';
import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { calls as text } from '../strings/calls.ts';
import { Empty } from '../ui/feedback/empty.tsx';
import { Failure } from '../ui/feedback/failure.tsx';
import { LoadMore } from '../ui/loading/load-more.tsx';
import { QueryView } from '../ui/loading/query-view.tsx';
import { LinkAnchor, LinkButton } from '../ui/page/link.tsx';
import { Page } from '../ui/page/page.tsx';
import { CallsTable } from './calls-table.tsx';
import { isFiltered } from './filter.ts';
import { Filters } from './filters.tsx';
import { findCalls } from './find-calls.ts';
import { callsQuery } from './queries.ts';

const route = getRouteApi('/calls');

/** List of calls by day, filtered by the URL. */
export function ListPage() {
  const filter = route.useSearch();
  const query = useInfiniteQuery({ ...callsQuery(filter), placeholderData: keepPreviousData });
  const sessions = useMemo(() => query.data?.pages.flatMap((page) => page.sessions) ?? [], [query.data]);
  const { find } = filter;
  const found = useMemo(() => (find === undefined ? sessions : findCalls(sessions, find)), [sessions, find]);
  const count = query.hasNextPage ? text.partialCount : text.count;
  return (
    <Page title={text.title} description={text.description}>
      <Filters sessions={sessions} />
      <VisuallyHidden role="status">
        {isFiltered(filter) && query.isSuccess && !query.isPlaceholderData && count(found.length)}
      </VisuallyHidden>
      <QueryView query={query}>
        {() => (
          <div style={{ opacity: query.isPlaceholderData ? 0.6 : 1 }} aria-busy={query.isPlaceholderData}>
            {found.length > 0 || (find === undefined && query.hasNextPage) ? (
              <CallsTable sessions={found} isAll={!query.hasNextPage} />
            ) : (
              <NoCalls isFiltered={isFiltered(filter)} />
            )}
            {find === undefined ? (
              <LoadMore query={query} />
            ) : (
              <SearchProgress find={find} found={found.length} total={sessions.length} query={query} />
            )}
          </div>
        )}
      </QueryView>
    </Page>
  );
}

interface SearchProgressProps {
  find: string;
  /** Number of loaded calls that match, and of all loaded calls. */
  found: number;
  total: number;
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage' | 'error'
  >;
}

/**
 * Shows how many calls the search has covered. The API filters rooms only by their full name, so other searches run
 * over loaded calls.
 */
function SearchProgress({ find, found, total, query }: SearchProgressProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, error } = query;
  if (isFetchNextPageError) return <Failure error={error} onRetry={() => void fetchNextPage()} />;
  if (!hasNextPage) return null;
  return (
    <Group gap="sm" mt="md">
      <Text size="sm" c="dimmed">
        {text.foundAmong(found, total)}
      </Text>
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {text.findOlder}
      </Button>
      <LinkAnchor to="/calls" search={(before) => ({ ...before, find: undefined, room: find })} size="sm">
        {text.findRoom(find)}
      </LinkAnchor>
    </Group>
  );
}

function NoCalls({ isFiltered }: { isFiltered: boolean }) {
  const icon = <PhoneIcon width={24} aria-hidden />;
  if (isFiltered) {
    return (
      <Empty title={text.noneFoundTitle} icon={icon}>
        {text.noneFound}
      </Empty>
    );
  }
  return (
    <Empty
      title={text.noneTitle}
      icon={icon}
      action={
        <LinkButton to="/keys" variant="default">
          {text.toKeys}
        </LinkButton>
      }
    >
      {text.none}
    </Empty>
  );
}
