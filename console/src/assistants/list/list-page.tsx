import { ChatBubbleLeftRightIcon, MagnifyingGlassIcon, PlusIcon } from '@heroicons/react/24/outline';
import { CloseButton, Loader, TextInput, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Can } from '../../api/identity.ts';
import { assistants as text } from '../../strings/assistants.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { useSearchField } from '../../ui/input/use-search-field.ts';
import { LoadMore } from '../../ui/loading/load-more.tsx';
import { QueryView } from '../../ui/loading/query-view.tsx';
import { LinkButton } from '../../ui/page/link.tsx';
import { Page } from '../../ui/page/page.tsx';
import { assistantsQuery } from '../queries.ts';
import { AssistantTable } from './assistant-table.tsx';

const route = getRouteApi('/assistants');

const create = (
  <Can do="write">
    <LinkButton to="/assistants/new" leftSection={<PlusIcon width={16} aria-hidden />}>
      {text.create}
    </LinkButton>
  </Can>
);

const icon = <ChatBubbleLeftRightIcon width={24} aria-hidden />;

/** List of assistants, filtered by the name in the URL. */
export function ListPage() {
  const { name = '' } = route.useSearch();
  const query = useInfiniteQuery({ ...assistantsQuery(name), placeholderData: keepPreviousData });
  const found = query.data?.pages.flatMap((page) => page.assistants) ?? [];
  const isEmpty = query.isSuccess && found.length === 0 && !query.hasNextPage;
  if (isEmpty && name === '' && !query.isPlaceholderData) {
    return (
      <Page title={text.title}>
        <Empty title={text.noneTitle} icon={icon} action={create}>
          {text.none}
        </Empty>
      </Page>
    );
  }
  return (
    <Page title={text.title} actions={create}>
      <Search isBusy={query.isPlaceholderData} />
      <VisuallyHidden role="status">
        {name !== '' && query.isSuccess && !query.isPlaceholderData && text.found(found.length, query.hasNextPage)}
      </VisuallyHidden>
      <QueryView query={query}>
        {() =>
          isEmpty ? (
            <Empty title={text.noneFound(name)} icon={icon} />
          ) : (
            <>
              <AssistantTable assistants={found} hasMore={query.hasNextPage} />
              <LoadMore query={query} />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

function Search({ isBusy }: { isBusy: boolean }) {
  const { name = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, type] = useSearchField(
    name,
    (next) => void navigate({ search: { name: next || undefined }, replace: true }),
  );
  return (
    <TextInput
      type="search"
      aria-label={text.search}
      placeholder={text.search}
      maxLength={200}
      mb="md"
      maw={360}
      leftSection={<MagnifyingGlassIcon width={16} aria-hidden />}
      rightSection={
        isBusy ? (
          <Loader size="xs" />
        ) : (
          typed !== '' && <CloseButton size={24} aria-label={text.clearSearch} onClick={() => type('')} />
        )
      }
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
