import { Paper, SimpleGrid, Text } from '@mantine/core';
import { formatClock } from '../calls/clock.ts';
import { common } from '../strings/common.ts';
import { formatCount, formatDecimal, overview as text } from '../strings/overview.ts';
import type { Count } from './tally.ts';

/** Totals in large print. */
export function Totals({ total: { calls, seconds, timed } }: { total: Count }) {
  const figures = [
    { label: text.calls, value: formatCount(calls) },
    { label: text.minutes, value: formatDecimal(seconds / 60) },
    { label: text.average, value: timed > 0 ? formatClock(seconds / timed) : common.unknown },
  ];
  return (
    <>
      <SimpleGrid cols={3} component="dl" m={0} spacing={{ base: 'xs', sm: 'md' }}>
        {figures.map(({ label, value }) => (
          <Paper key={label} p={{ base: 'sm', sm: 'md' }}>
            <Text component="dt" size="xs" c="dimmed">
              {label}
            </Text>
            <Text component="dd" m={0} fz={{ base: 'lg', sm: '1.75rem' }} fw={600} lh={1.3}>
              {value}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      {timed < calls && (
        <Text size="xs" c="dimmed">
          {text.untimed(calls - timed)}
        </Text>
      )}
    </>
  );
}
