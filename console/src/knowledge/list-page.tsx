import { BookOpenIcon } from '@heroicons/react/24/outline';
import { Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Can } from '../api/identity.ts';
import { knowledge as text } from '../strings/knowledge.ts';
import { Empty } from '../ui/feedback/empty.tsx';
import { LoadMore } from '../ui/loading/load-more.tsx';
import { QueryView } from '../ui/loading/query-view.tsx';
import { LinkButton } from '../ui/page/link.tsx';
import { Page } from '../ui/page/page.tsx';
import { KnowledgeTable } from './knowledge-table.tsx';
import { knowledgeBasesQuery } from './queries.ts';
import { DropArea } from './upload/drop-area.tsx';
import { UploadList } from './upload/upload-list.tsx';

/** Page with all documents and a drop area for more. */
export function ListPage() {
  const query = useInfiniteQuery(knowledgeBasesQuery);
  return (
    <Page
      title={text.title}
      description={text.description}
      actions={
        <LinkButton to="/knowledge/search" variant="default">
          {text.searchAll}
        </LinkButton>
      }
    >
      <Stack gap="lg">
        <Can do="write">
          <DropArea />
          <UploadList />
        </Can>
        <QueryView query={query}>
          {({ pages }) => {
            const records = pages.flatMap((page) => page.knowledge_bases);
            if (records.length === 0 && !query.hasNextPage) {
              return (
                <Empty title={text.noneTitle} icon={<BookOpenIcon width={24} aria-hidden />}>
                  {text.none}
                </Empty>
              );
            }
            return (
              <div>
                <KnowledgeTable records={records} hasMore={query.hasNextPage} />
                <LoadMore query={query} />
              </div>
            );
          }}
        </QueryView>
      </Stack>
    </Page>
  );
}
