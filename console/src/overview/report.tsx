import { Alert, Stack } from '@mantine/core';
import { getCallTime, toDay } from '../calls/days.ts';
import { calls } from '../strings/calls.ts';
import { formatCount, formatDecimal, overview as text } from '../strings/overview.ts';
import { ByAssistant } from './by-assistant.tsx';
import { DayPlot, maxColours } from './day-plot.tsx';
import { formatLongDay, listLastDays, type Span } from './days.ts';
import { LastCalls } from './last-calls.tsx';
import type { RecentCalls } from './queries.ts';
import { others, tallyCalls } from './tally.ts';
import { Totals } from './totals.tsx';

interface Props {
  listed: RecentCalls;
  span: Span;
  /** Id of the only assistant to show. */
  assistant: string | undefined;
  names: ReadonlyMap<string, string>;
}

/** Totals, charts and the last calls. */
export function Report({ listed: { sessions, isTruncated }, span, assistant, names }: Props) {
  const shown = assistant === undefined ? sessions : sessions.filter((one) => one.assistant_id === assistant);
  const oldestCall = sessions.at(-1);
  const oldest = toDay(oldestCall ? getCallTime(oldestCall) : new Date());
  const days = listLastDays(span, new Date()).filter((day) => !isTruncated || day >= oldest);
  const counts = tallyCalls(shown, days, maxColours);
  const restName = counts.shares.length === 1 ? text.everyAssistant : text.others;
  const getName = (id: string) => (id === others ? restName : (names.get(id) ?? calls.unnamed(id)));
  return (
    <Stack>
      {isTruncated && (
        <Alert color="yellow" role="status">
          {text.cut(sessions.length, formatLongDay(oldest))}
        </Alert>
      )}
      <Totals total={counts.total} />
      <DayPlot
        title={text.callsPerDay}
        tally={counts}
        getName={getName}
        measure={({ calls }) => calls}
        format={formatCount}
        assistant={assistant}
      />
      <DayPlot
        title={text.minutesPerDay}
        tally={counts}
        getName={getName}
        measure={({ seconds }) => seconds / 60}
        format={formatDecimal}
        assistant={assistant}
      />
      {counts.assistants.length > counts.shares.length && (
        <ByAssistant assistants={counts.assistants} getName={getName} />
      )}
      {shown.length > 0 && <LastCalls sessions={shown.slice(0, 5)} />}
    </Stack>
  );
}
