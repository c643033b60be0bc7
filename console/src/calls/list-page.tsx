import { PhoneIcon } from '@heroicons/react/24/outline';
import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { calls as text } from '../strings/calls.ts';
import { Answer } from '../ui/answer.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { LinkAnchor, LinkButton } from '../ui/link.tsx';
import { More } from '../ui/more.tsx';
import { Page } from '../ui/page.tsx';
import { CallsTable } from './calls-table.tsx';
import { isFiltered } from './filter.ts';
import { Filters } from './filters.tsx';
import { findCalls } from './find-calls.ts';
import { callsQuery } from './queries.ts';

const route = getRouteApi('/calls');

/** The calls, by day; which of them, stands in the address. */
export function ListPage() {
  const filter = route.useSearch();
  const query = useInfiniteQuery({ ...callsQuery(filter), placeholderData: keepPreviousData });
  const sessions = useMemo(() => query.data?.pages.flatMap((page) => page.sessions) ?? [], [query.data]);
  const { find } = filter;
  const found = useMemo(() => (find === undefined ? sessions : findCalls(sessions, find)), [sessions, find]);
  const count = query.hasNextPage ? text.countSoFar : text.count;
  return (
    <Page title={text.title} description={text.description}>
      <Filters sessions={sessions} />
      <VisuallyHidden role="status">
        {isFiltered(filter) && query.isSuccess && !query.isPlaceholderData && count(found.length)}
      </VisuallyHidden>
      <Answer query={query}>
        {() => (
          <div style={{ opacity: query.isPlaceholderData ? 0.6 : 1 }} aria-busy={query.isPlaceholderData}>
            {found.length > 0 || (find === undefined && query.hasNextPage) ? (
              <CallsTable sessions={found} isAll={!query.hasNextPage} />
            ) : (
              <Nothing isFiltered={isFiltered(filter)} />
            )}
            {find === undefined ? (
              <More query={query} />
            ) : (
              <SearchedSoFar find={find} found={found.length} all={sessions.length} query={query} />
            )}
          </div>
        )}
      </Answer>
    </Page>
  );
}

interface SearchedProps {
  find: string;
  /** How many of the calls that were read match, and how many were read. */
  found: number;
  all: number;
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage' | 'error'
  >;
}

/** Says how far a search has come. The service knows rooms by their whole name only: what else is sought is read first. */
function SearchedSoFar({ find, found, all, query }: SearchedProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, error } = query;
  if (isFetchNextPageError) return <Failure error={error} onRetry={() => void fetchNextPage()} />;
  if (!hasNextPage) return null;
  return (
    <Group gap="sm" mt="md">
      <Text size="sm" c="dimmed">
        {text.foundAmong(found, all)}
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

function Nothing({ isFiltered }: { isFiltered: boolean }) {
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
