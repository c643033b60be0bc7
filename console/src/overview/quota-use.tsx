import { Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useIdentity } from '../api/identity.ts';
import type { QuotaUse as Use } from '../api/types.ts';
import { quotas as text } from '../strings/quotas.ts';
import { Time } from '../ui/text/time.tsx';
import { quotaQuery } from './queries.ts';

/** Share of a limit from which it is nearly used up. */
const nearShare = 0.8;

/** Use of the user's limits today. Nothing without limits. */
export function QuotaUse() {
  const hasLimits = (useIdentity()?.quotas.length ?? 0) > 0;
  const { data: uses = [] } = useQuery({ ...quotaQuery, enabled: hasLimits });
  if (uses.length === 0) return null;
  return (
    <Paper component="section" p="md" mb="md">
      <Title order={2} size="sm" mb="sm">
        {text.title}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {uses.map((use) => (
          <QuotaItem key={use.name} use={use} />
        ))}
      </SimpleGrid>
    </Paper>
  );
}

function QuotaItem({ use: { name, used, limit, resets_at } }: { use: Use }) {
  const isReached = used >= limit;
  const isNear = used >= nearShare * limit;
  return (
    <Stack gap={4} component="li">
      <Group justify="space-between">
        <Text size="sm">{text.name[name]}</Text>
        <Text size="sm" fw={500}>
          {text.use(used, limit)}
        </Text>
      </Group>
      <Progress
        value={isReached ? 100 : (100 * used) / limit}
        color={isReached ? 'red' : isNear ? 'yellow' : undefined}
        size="sm"
        aria-hidden
      />
      {isNear && (
        <Text size="xs" c="dimmed">
          {isReached ? text.reached : text.near} {text.resets} <Time at={resets_at} />
        </Text>
      )}
    </Stack>
  );
}
