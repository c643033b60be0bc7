import { Group, Paper, SegmentedControl, Skeleton, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { overview as text } from '../strings/overview.ts';
import { later } from '../ui/later.tsx';
import { DayTable } from './day-table.tsx';
import { shortDay } from './days.ts';
import classes from './overview.module.css';
import { type Count, others, type Tally } from './tally.ts';

const plotHeight = 240;

/** The library that draws is a third of all that the console loads: the numbers do not wait for it. */
const Bars = later(() => import('./bars.tsx'), 'default', <Skeleton height={plotHeight} />);

export interface DayPlotProps {
  title: string;
  tally: Tally;
  /** What each share is called, by its id. */
  nameOf: (id: string) => string;
  /** What is plotted. */
  measure: (count: Count) => number;
  format: (value: number) => string;
  /** The id of the assistant whose calls are shown alone. */
  assistant: string | undefined;
}

/** How many shares have a colour of their own. */
export const colours = 6;

/** A bar for each day, in which each assistant has its part; or the same as a table, for those who do not see it. Both lead to the calls of a day. */
export function DayPlot(props: DayPlotProps) {
  const { title, tally, nameOf, measure, format, assistant } = props;
  const navigate = useNavigate();
  const [view, setView] = useState('chart');
  const data = tally.days.map(({ day, byShare }) => ({
    day: shortDay(day),
    ...Object.fromEntries([...byShare].map(([id, count]) => [id, measure(count)])),
  }));
  const toCalls = (index: number, share: string) => {
    const { day } = tally.days[index] ?? {};
    if (!day) return;
    const one = share === others ? assistant : share;
    void navigate({ to: '/calls', search: { assistant: one, from: day, to: day } });
  };
  const series = tally.shares.map(({ id }, index) => ({
    name: id,
    label: nameOf(id),
    color: `var(--share-${index})`,
  }));
  return (
    <Paper p="md" className={classes.plot} component="section">
      <Group justify="space-between" mb="md">
        <Title order={2} size="sm">
          {title}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={`${title}: ${text.view}`}
          value={view}
          onChange={setView}
          data={[
            { value: 'chart', label: text.chart },
            { value: 'table', label: text.table },
          ]}
        />
      </Group>
      {view === 'table' ? (
        <DayTable {...props} />
      ) : (
        <div role="img" aria-label={text.summary(title, format(measure(tally.total)), tally.days.length)}>
          <Bars data={data} series={series} height={plotHeight} format={format} onPick={toCalls} />
        </div>
      )}
    </Paper>
  );
}
