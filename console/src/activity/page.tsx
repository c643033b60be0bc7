import { ClockIcon } from '@heroicons/react/24/outline';
import { VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { activity as text } from '../strings/activity.ts';
import { Empty } from '../ui/feedback/empty.tsx';
import { LoadMore } from '../ui/loading/load-more.tsx';
import { QueryView } from '../ui/loading/query-view.tsx';
import { Page } from '../ui/page/page.tsx';
import { EventsTable } from './events-table.tsx';
import { isFiltered } from './filter.ts';
import { Filters } from './filters.tsx';
import { eventsQuery } from './queries.ts';

const route = getRouteApi('/activity');

/** List of everything that changed, filtered by the URL. */
export function ActivityPage() {
  const filter = route.useSearch();
  const query = useInfiniteQuery({ ...eventsQuery(filter), placeholderData: keepPreviousData });
  const events = useMemo(() => query.data?.pages.flatMap((page) => page.events) ?? [], [query.data]);
  return (
    <Page title={text.title} description={text.description}>
      <Filters />
      <VisuallyHidden role="status">
        {isFiltered(filter) && query.isSuccess && !query.isPlaceholderData && text.count(events.length)}
      </VisuallyHidden>
      <QueryView query={query}>
        {() => (
          <div style={{ opacity: query.isPlaceholderData ? 0.6 : 1 }} aria-busy={query.isPlaceholderData}>
            {events.length > 0 || query.hasNextPage ? (
              <EventsTable events={events} hasMore={query.hasNextPage} />
            ) : (
              <Empty
                title={isFiltered(filter) ? text.noneFoundTitle : text.noneTitle}
                icon={<ClockIcon width={24} aria-hidden />}
              >
                {isFiltered(filter) ? text.noneFound : text.none}
              </Empty>
            )}
            <LoadMore query={query} />
          </div>
        )}
      </QueryView>
    </Page>
  );
}
