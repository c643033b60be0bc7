import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { Stats } from '../api/types.ts';
import { formatClock } from '../calls/clock.ts';
import { common } from '../strings/common.ts';
import { formatCount, formatDecimal, formatMoney, overview as text } from '../strings/overview.ts';

/** Totals in large print. */
export function Totals({ stats: { calls, minutes, average_seconds, latency, cost, currency } }: { stats: Stats }) {
  const figures = [
    { label: text.calls, value: formatCount(calls) },
    { label: text.minutes, value: formatDecimal(minutes) },
    { label: text.average, value: average_seconds === null ? common.unknown : formatClock(average_seconds) },
    { label: text.latency, value: latency.e2e ? text.formatLatency(latency.e2e.p50) : common.unknown },
    { label: text.slowest, value: latency.e2e ? text.formatLatency(latency.e2e.p95) : common.unknown },
    { label: text.cost, value: cost === null ? common.unknown : formatMoney(cost, currency) },
  ];
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, lg: 6 }} component="dl" m={0} spacing={{ base: 'xs', sm: 'md' }}>
      {figures.map(({ label, value }) => (
        <Paper key={label} p={{ base: 'sm', sm: 'md' }}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fz={{ base: 'lg', sm: '1.5rem' }} fw={600} lh={1.3}>
            {value}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
