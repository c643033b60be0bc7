import { Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { formatCount, overview as text } from '../strings/overview.ts';

/** Most frequent reasons to show. */
const maxReasons = 8;

/** How many calls ended for which reason. Shows nothing if no call has one. */
export function EndReasons({ ended }: { ended: Readonly<Record<string, number>> }) {
  const reasons = Object.entries(ended).toSorted(([, one], [, other]) => other - one);
  const total = reasons.reduce((sum, [, calls]) => sum + calls, 0);
  if (total === 0) return null;
  return (
    <Paper p="md" component="section">
      <Title order={2} size="sm" mb="md">
        {text.endReasons}
      </Title>
      <Stack gap="xs">
        {reasons.slice(0, maxReasons).map(([reason, calls]) => (
          <div key={reason}>
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" truncate>
                {reason.replaceAll('_', ' ')}
              </Text>
              <Text size="sm">{formatCount(calls)}</Text>
            </Group>
            <Progress value={(100 * calls) / total} size="sm" aria-hidden />
          </div>
        ))}
      </Stack>
    </Paper>
  );
}
