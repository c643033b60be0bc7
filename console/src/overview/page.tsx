import { ChartBarIcon } from '@heroicons/react/24/outline';
import { Group, SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { assistantQuery } from '../assistants/queries.ts';
import { calls } from '../strings/calls.ts';
import { overview as text } from '../strings/overview.ts';
import { Empty } from '../ui/feedback/empty.tsx';
import { QueryView } from '../ui/loading/query-view.tsx';
import { LinkButton } from '../ui/page/link.tsx';
import { Page } from '../ui/page/page.tsx';
import { type Span, spans } from './days.ts';
import { usageQuery } from './queries.ts';
import { QuotaUse } from './quota-use.tsx';
import { Report } from './report.tsx';
import { getNames } from './tally.ts';

const route = getRouteApi('/overview');

/** Page with today's use of limits, and the number, length, latency and cost of recent calls, by day and assistant. */
export function OverviewPage() {
  const { days = 30, assistant } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(usageQuery(days, assistant));
  const names = getNames(query.data?.byAssistant ?? []);
  // The chosen assistant may have no calls in this period.
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
        data={spans.map((span) => ({ value: String(span), label: text.formatSpan(span) }))}
      />
    </Group>
  );
  return (
    <Page title={text.title} actions={choices}>
      <QuotaUse />
      <QueryView query={query}>
        {(usage) =>
          usage.stats.calls > 0 || usage.sessions.length > 0 || assistant !== undefined ? (
            <Report usage={usage} span={days} assistant={assistant} names={names} />
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
      </QueryView>
    </Page>
  );
}
