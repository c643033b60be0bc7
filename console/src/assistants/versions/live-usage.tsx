import { Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Live } from '../../api/types.ts';
import { common } from '../../strings/common.ts';
import { live as liveText } from '../../strings/live.ts';
import { formatCount, formatMoney, overview } from '../../strings/overview.ts';
import { versions as text } from '../../strings/versions.ts';
import { Loading } from '../../ui/loading/loading.tsx';
import { QueryView } from '../../ui/loading/query-view.tsx';
import list from '../../ui/table/list.module.css';
import { versionUsageQuery } from './queries.ts';
import { noUsage } from './usage.ts';
import classes from './versions.module.css';

/** Number of the draft in the usage. */
const draft = 0;

const formatMs = (ms: number | null) => (ms === null ? common.unknown : overview.formatLatency(ms));

/** Calls, time to answer and cost of what calls get, to compare two versions. */
export function LiveUsage({ assistantId, live }: { assistantId: string; live: Live | null }) {
  const query = useQuery(versionUsageQuery(assistantId));
  const shown = live ? live.versions.map(({ version }) => version) : [draft];
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {text.lastDays}
      </Text>
      <QueryView query={query} loading={<Loading rows={2} height={28} />}>
        {({ byVersion, currency }) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          <section className={classes.numbers} tabIndex={0} aria-label={text.lastDays}>
            <Table aria-label={text.lastDays}>
              <Table.Thead className={list.head}>
                <Table.Tr>
                  <Table.Th>{text.usageColumn.version}</Table.Th>
                  {[text.usageColumn.calls, text.usageColumn.p50, text.usageColumn.p95, text.usageColumn.cost].map(
                    (name) => (
                      <Table.Th key={name} className={list.number}>
                        {name}
                      </Table.Th>
                    ),
                  )}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map((version) => {
                  const { calls, p50, p95, cost } = byVersion.get(version) ?? noUsage;
                  return (
                    <Table.Tr key={version}>
                      <Table.Th scope="row" fw={400}>
                        {version === draft ? liveText.draft : text.label(version)}
                      </Table.Th>
                      <Table.Td className={list.number}>{formatCount(calls)}</Table.Td>
                      <Table.Td className={list.number}>{formatMs(p50)}</Table.Td>
                      <Table.Td className={list.number}>{formatMs(p95)}</Table.Td>
                      <Table.Td className={list.number}>
                        {cost === null ? common.unknown : formatMoney(cost, currency)}
                      </Table.Td>
                    </Table.Tr>
                  );
                })}
              </Table.Tbody>
            </Table>
          </section>
        )}
      </QueryView>
    </Stack>
  );
}
