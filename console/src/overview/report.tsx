import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Can } from '../api/identity.ts';
import { calls } from '../strings/calls.ts';
import { formatCount, formatDecimal, formatMoney, overview as text } from '../strings/overview.ts';
import { ByAssistant } from './by-assistant.tsx';
import { ByModel } from './by-model.tsx';
import { downloadCsv } from './csv.ts';
import { DayPlot, maxColours } from './day-plot.tsx';
import { listLastDays, type Span } from './days.ts';
import { EndReasons } from './end-reasons.tsx';
import { LastCalls } from './last-calls.tsx';
import { PricesDialog } from './prices-dialog.tsx';
import type { Usage } from './queries.ts';
import { type Count, others, tallyCalls } from './tally.ts';
import { Totals } from './totals.tsx';

interface Props {
  usage: Usage;
  span: Span;
  /** Id of the only assistant to show. */
  assistant: string | undefined;
  names: ReadonlyMap<string, string>;
}

/** Totals, charts, tables and the last calls. */
export function Report({ usage: { stats, days: series, byAssistant, sessions }, span, assistant, names }: Props) {
  const [isPricing, pricing] = useDisclosure();
  const days = listLastDays(span, new Date());
  const shown = byAssistant.filter(({ key }) => assistant === undefined || key === assistant);
  // The series by assistant is empty if there are too many of them.
  const tally = tallyCalls(shown.length > 0 ? shown : series, days, maxColours);
  const restName = tally.shares.length === 1 ? text.everyAssistant : text.others;
  const getName = (id: string) => (id === others ? restName : (names.get(id) ?? calls.unnamed(id)));
  const toPlot = (
    title: string,
    measure: (count: Count) => number,
    total: number,
    format: (value: number) => string,
  ) => ({
    title,
    total: format(total),
    days: tally.days.map(({ day, byShare }) => ({
      day,
      values: new Map([...byShare].map(([id, count]) => [id, measure(count)])),
    })),
    series: tally.shares.map(({ id }) => ({ id, label: getName(id), assistant: id === others ? assistant : id })),
    format,
    assistant,
    isSum: true,
  });
  const money = (value: number) => formatMoney(value, stats.currency);
  const latencies = new Map(series.map(({ interval, latency }) => [interval, latency.e2e]));
  return (
    <Stack>
      <Totals stats={stats} />
      <DayPlot {...toPlot(text.callsPerDay, ({ calls }) => calls, stats.calls, formatCount)} />
      <DayPlot {...toPlot(text.minutesPerDay, ({ minutes }) => minutes, stats.minutes, formatDecimal)} />
      {stats.latency.e2e && (
        <DayPlot
          title={text.latencyPerDay}
          total={text.formatLatency(stats.latency.e2e.p50)}
          days={days.map((day) => {
            const latency = latencies.get(day);
            return {
              day,
              values: new Map(
                latency
                  ? [
                      ['p50', latency.p50],
                      ['p95', latency.p95],
                    ]
                  : [],
              ),
            };
          })}
          series={[
            { id: 'p50', label: text.median, assistant },
            { id: 'p95', label: text.p95, assistant },
          ]}
          format={text.formatLatency}
          assistant={assistant}
          isSum={false}
        />
      )}
      {stats.cost !== null && <DayPlot {...toPlot(text.costPerDay, ({ cost }) => cost, stats.cost, money)} />}
      {tally.assistants.length > tally.shares.length && (
        <ByAssistant assistants={tally.assistants} getName={getName} format={money} />
      )}
      <EndReasons ended={stats.ended} />
      {stats.models.length > 0 && <ByModel models={stats.models} format={money} />}
      {sessions.length > 0 && <LastCalls sessions={sessions} />}
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {text.daysAreUtc}
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            onClick={() => downloadCsv(shown.length > 0 ? shown : series, getName, stats.currency)}
          >
            {text.download}
          </Button>
          <Can do="write">
            <Button variant="default" size="xs" onClick={pricing.open}>
              {text.prices}
            </Button>
          </Can>
        </Group>
      </Group>
      <PricesDialog models={stats.models} opened={isPricing} onClose={pricing.close} />
    </Stack>
  );
}
