import { PhoneIcon } from '@heroicons/react/24/outline';
import { VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { calls as text } from '../strings/calls.ts';
import { Answer } from '../ui/answer.tsx';
import { Empty } from '../ui/empty.tsx';
import { LinkButton } from '../ui/link.tsx';
import { More } from '../ui/more.tsx';
import { Page } from '../ui/page.tsx';
import { CallsTable } from './calls-table.tsx';
import { isFiltered } from './filter.ts';
import { Filters } from './filters.tsx';
import { callsQuery } from './queries.ts';

const route = getRouteApi('/calls');

/** The calls, by day; which of them, stands in the address. */
export function ListPage() {
  const filter = route.useSearch();
  const query = useInfiniteQuery({ ...callsQuery(filter), placeholderData: keepPreviousData });
  const sessions = useMemo(() => query.data?.pages.flatMap((page) => page.sessions) ?? [], [query.data]);
  const count = query.hasNextPage ? text.countSoFar : text.count;
  return (
    <Page title={text.title} description={text.description}>
      <Filters sessions={sessions} />
      <VisuallyHidden role="status">
        {isFiltered(filter) && query.isSuccess && !query.isPlaceholderData && count(sessions.length)}
      </VisuallyHidden>
      <Answer query={query}>
        {() => {
          if (sessions.length === 0 && !query.hasNextPage) return <Nothing isFiltered={isFiltered(filter)} />;
          return (
            <div style={{ opacity: query.isPlaceholderData ? 0.6 : 1 }} aria-busy={query.isPlaceholderData}>
              <CallsTable sessions={sessions} isAll={!query.hasNextPage} />
              <More query={query} />
            </div>
          );
        }}
      </Answer>
    </Page>
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
