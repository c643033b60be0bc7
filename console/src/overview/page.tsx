import { ChartBarIcon } from '@heroicons/react/24/outline';
import { Group, SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { assistantQuery } from '../assistants/queries.ts';
import { namesOf } from '../calls/names.ts';
import { calls } from '../strings/calls.ts';
import { overview as text } from '../strings/overview.ts';
import { Answer } from '../ui/answer.tsx';
import { Empty } from '../ui/empty.tsx';
import { LinkButton } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { type Span, spans } from './days.ts';
import { sessionsQuery } from './queries.ts';
import { Report } from './report.tsx';

const route = getRouteApi('/overview');

/** How much was spoken in the last days, by day and assistant. */
export function OverviewPage() {
  const { days = 30, assistant } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(sessionsQuery(days));
  const names = namesOf(query.data?.sessions ?? []);
  // Chosen for other days, it may have had no call in these.
  const isMissing = assistant !== undefined && query.isSuccess && !names.has(assistant);
  const missing = useQuery({ ...assistantQuery(assistant ?? ''), enabled: isMissing });
  if (isMissing) names.set(assistant, missing.data?.assistant.name ?? calls.unnamed(assistant));
  const choose = (search: { days?: Span; assistant?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...search }), replace: true });
  const choices = (
    <Group gap="xs">
      <Select
        aria-label={text.assistant}
        placeholder={text.everyAssistant}
        data={[...names].map(([value, label]) => ({ value, label }))}
        value={assistant ?? null}
        onChange={(id) => choose({ assistant: id ?? undefined })}
        clearable
        searchable
      />
      <SegmentedControl
        aria-label={text.span}
        value={String(days)}
        onChange={(span) => choose({ days: Number(span) as Span })}
        data={spans.map((span) => ({ value: String(span), label: text.spanOf(span) }))}
      />
    </Group>
  );
  return (
    <Page title={text.title} actions={choices}>
      <Answer query={query}>
        {(listed) =>
          listed.sessions.length > 0 ? (
            <Report listed={listed} span={days} assistant={assistant} names={names} />
          ) : (
            <Empty
              title={text.noneTitle}
              icon={<ChartBarIcon width={24} aria-hidden />}
              action={<LinkButton to="/">{text.toStart}</LinkButton>}
            >
              {text.none}
            </Empty>
          )
        }
      </Answer>
    </Page>
  );
}
