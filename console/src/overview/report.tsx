import { Alert, Stack } from '@mantine/core';
import { dayOf, getCallTime } from '../calls/days.ts';
import { calls } from '../strings/calls.ts';
import { counted, decimal, overview as text } from '../strings/overview.ts';
import { ByAssistant } from './by-assistant.tsx';
import { colours, DayPlot } from './day-plot.tsx';
import { lastDays, longDay, type Span } from './days.ts';
import { LastCalls } from './last-calls.tsx';
import type { Listed } from './queries.ts';
import { others, tally } from './tally.ts';
import { Totals } from './totals.tsx';

interface Props {
  listed: Listed;
  span: Span;
  /** The id of the assistant whose calls are shown alone. */
  assistant: string | undefined;
  names: ReadonlyMap<string, string>;
}

/** Totals, plots and the last calls. */
export function Report({ listed: { sessions, isCut }, span, assistant, names }: Props) {
  const shown = assistant === undefined ? sessions : sessions.filter((one) => one.assistant_id === assistant);
  const oldestCall = sessions.at(-1);
  const oldest = dayOf(oldestCall ? getCallTime(oldestCall) : new Date());
  const days = lastDays(span, new Date()).filter((day) => !isCut || day >= oldest);
  const counts = tally(shown, days, colours);
  const nameOfRest = counts.shares.length === 1 ? text.everyAssistant : text.others;
  const nameOf = (id: string) => (id === others ? nameOfRest : (names.get(id) ?? calls.unnamed(id)));
  return (
    <Stack>
      {isCut && (
        <Alert color="yellow" role="status">
          {text.cut(sessions.length, longDay(oldest))}
        </Alert>
      )}
      <Totals total={counts.total} />
      <DayPlot
        title={text.callsPerDay}
        tally={counts}
        nameOf={nameOf}
        measure={({ calls }) => calls}
        format={counted}
        assistant={assistant}
      />
      <DayPlot
        title={text.minutesPerDay}
        tally={counts}
        nameOf={nameOf}
        measure={({ seconds }) => seconds / 60}
        format={decimal}
        assistant={assistant}
      />
      {counts.assistants.length > counts.shares.length && (
        <ByAssistant assistants={counts.assistants} nameOf={nameOf} />
      )}
      {shown.length > 0 && <LastCalls sessions={shown.slice(0, 5)} />}
    </Stack>
  );
}
