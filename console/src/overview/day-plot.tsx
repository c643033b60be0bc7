import { Group, Paper, SegmentedControl, Skeleton, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { overview as text } from '../strings/overview.ts';
import { lazyComponent } from '../ui/loading/lazy.tsx';
import { DayTable } from './day-table.tsx';
import { formatShortDay } from './days.ts';
import classes from './overview.module.css';
import { type Count, others, type Tally } from './tally.ts';

const plotHeightPx = 240;

/** Lazy, because the chart library is a third of the console's code. The numbers do not wait for it. */
const Bars = lazyComponent(() => import('./bars.tsx'), 'default', <Skeleton height={plotHeightPx} />);

export interface DayPlotProps {
  title: string;
  tally: Tally;
  /** Returns the label of a share, by its id. */
  getName: (id: string) => string;
  /** Returns the number to plot. */
  measure: (count: Count) => number;
  format: (value: number) => string;
  /** Id of the only assistant to show. */
  assistant: string | undefined;
}

/** Number of shares with their own colour. */
export const maxColours = 6;

/**
 * Bar chart with a bar per day, stacked by assistant, or a table for those who cannot see it. Both link to the calls of
 * a day.
 */
export function DayPlot(props: DayPlotProps) {
  const { title, tally, getName, measure, format, assistant } = props;
  const navigate = useNavigate();
  const [view, setView] = useState('chart');
  const data = tally.days.map(({ day, byShare }) => ({
    day: formatShortDay(day),
    ...Object.fromEntries([...byShare].map(([id, count]) => [id, measure(count)])),
  }));
  const openCalls = (index: number, share: string) => {
    const { day } = tally.days[index] ?? {};
    if (!day) return;
    const one = share === others ? assistant : share;
    void navigate({ to: '/calls', search: { assistant: one, from: day, to: day } });
  };
  const series = tally.shares.map(({ id }, index) => ({
    name: id,
    label: getName(id),
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
          <Bars data={data} series={series} height={plotHeightPx} format={format} onPick={openCalls} />
        </div>
      )}
    </Paper>
  );
}
