import { ArrowLeftIcon, ClockIcon } from '@heroicons/react/24/outline';
import { Group, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { assistants } from '../../strings/assistants.ts';
import { versions as text } from '../../strings/versions.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { LoadMore } from '../../ui/loading/load-more.tsx';
import { QueryView } from '../../ui/loading/query-view.tsx';
import { LinkAnchor, LinkButton } from '../../ui/page/link.tsx';
import { Page } from '../../ui/page/page.tsx';
import { Section } from '../../ui/page/section.tsx';
import { type AssistantWithEtag, assistantQuery } from '../queries.ts';
import { LiveBadge } from './live-badge.tsx';
import { pointerQuery, versionsQuery } from './queries.ts';
import { Rollout } from './rollout.tsx';
import { VersionTable } from './version-table.tsx';

const route = getRouteApi('/assistants/$assistantId/versions');

/** Page of the versions of an assistant: their history, and what calls get. */
export function VersionsPage() {
  const { assistantId } = route.useParams();
  const query = useQuery(assistantQuery(assistantId));
  const assistant = query.data?.assistant;
  return (
    <Page
      title={assistant ? text.title(assistant.name) : text.page}
      description={
        <Group gap="xs">
          <LinkAnchor to="/assistants/$assistantId" params={{ assistantId }} size="sm">
            <ArrowLeftIcon width={12} aria-hidden /> {assistants.one}
          </LinkAnchor>
          {assistant && <LiveBadge assistant={assistant} />}
        </Group>
      }
    >
      <QueryView query={query}>{(current) => <Versions current={current} />}</QueryView>
    </Page>
  );
}

function Versions({ current }: { current: AssistantWithEtag }) {
  const { id } = current.assistant;
  const query = useInfiniteQuery(versionsQuery(id));
  const pointer = useQuery(pointerQuery(id));
  const versions = query.data?.pages.flatMap((page) => page.versions) ?? [];
  if (query.isSuccess && versions.length === 0)
    return (
      <Empty
        title={text.noneTitle}
        icon={<ClockIcon width={24} aria-hidden />}
        action={
          <LinkButton to="/assistants/$assistantId" params={{ assistantId: id }}>
            {text.toAssistant}
          </LinkButton>
        }
      >
        {text.none}
      </Empty>
    );
  return (
    <QueryView query={query}>
      {() => (
        <QueryView query={pointer}>
          {(now) => (
            <Stack gap="lg">
              <Rollout assistantId={id} pointer={now} versions={versions.map(({ version }) => version)} />
              <Section title={text.all} hint={text.allHint}>
                <VersionTable current={current} pointer={now} versions={versions} hasMore={query.hasNextPage} />
                <LoadMore query={query} />
              </Section>
            </Stack>
          )}
        </QueryView>
      )}
    </QueryView>
  );
}
