import { Group, Paper, SegmentedControl, Skeleton, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { overview as text } from '../strings/overview.ts';
import { lazyComponent } from '../ui/loading/lazy.tsx';
import { DayTable } from './day-table.tsx';
import { formatShortDay } from './days.ts';
import classes from './overview.module.css';

const plotHeightPx = 240;

/** Lazy, because the chart library is a third of the console's code. The numbers do not wait for it. */
const Bars = lazyComponent(() => import('./bars.tsx'), 'default', <Skeleton height={plotHeightPx} />);

/** Values of a day by the id of their series. */
export interface DayValues {
  day: string;
  values: ReadonlyMap<string, number>;
}

export interface DayPlotProps {
  title: string;
  /** The value of the whole period, formatted. */
  total: string;
  /** Oldest first. */
  days: readonly DayValues[];
  /** Series with their labels, and the assistant whose calls they show. */
  series: readonly { id: string; label: string; assistant: string | undefined }[];
  format: (value: number) => string;
  /** Id of the only assistant to show. */
  assistant: string | undefined;
  /** True if the values of a day add up, so that bars are stacked. */
  isSum: boolean;
}

/** Number of series with their own colour. */
export const maxColours = 6;

/** Bar chart with the values of each day, or a table for those who cannot see it. Both link to the calls of a day. */
export function DayPlot(props: DayPlotProps) {
  const { title, total, days, series, format, isSum } = props;
  const navigate = useNavigate();
  const [view, setView] = useState('chart');
  const data = days.map(({ day, values }) => ({ day: formatShortDay(day), ...Object.fromEntries(values) }));
  const openCalls = (index: number, id: string) => {
    const { day } = days[index] ?? {};
    const { assistant } = series.find((one) => one.id === id) ?? {};
    if (day) void navigate({ to: '/calls', search: { assistant, from: day, to: day } });
  };
  const colours = series.map(({ id, label }, index) => ({ name: id, label, color: `var(--share-${index})` }));
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
        <div role="img" aria-label={text.summary(title, total, days.length)}>
          <Bars
            data={data}
            series={colours}
            height={plotHeightPx}
            format={format}
            onPick={openCalls}
            isStacked={isSum}
          />
        </div>
      )}
    </Paper>
  );
}
