import { Group, Paper, Table, Text, Title } from '@mantine/core';
import type { Session } from '../api/types.ts';
import { getAssistantNames } from '../calls/assistant-names.ts';
import { formatClock } from '../calls/clock.ts';
import { getCallTime } from '../calls/days.ts';
import { calls } from '../strings/calls.ts';
import { common } from '../strings/common.ts';
import { overview as text } from '../strings/overview.ts';
import { LinkAnchor } from '../ui/page/link.tsx';
import lists from '../ui/table/list.module.css';
import { Time } from '../ui/text/time.tsx';
import { toVisibleName } from '../ui/text/visible-text.ts';

/** The newest calls, with a link to all. */
export function LastCalls({ sessions }: { sessions: readonly Session[] }) {
  const names = getAssistantNames(sessions);
  return (
    <Paper component="section" style={{ overflow: 'auto' }}>
      <Group justify="space-between" p="md">
        <Title order={2} size="sm">
          {text.lastCalls}
        </Title>
        <LinkAnchor to="/calls" size="sm">
          {text.allCalls}
        </LinkAnchor>
      </Group>
      <Table aria-label={text.lastCalls} layout="fixed">
        <Table.Thead className={lists.head}>
          <Table.Tr>
            <Table.Th>{text.column.call}</Table.Th>
            <Table.Th w={80} className={lists.number} visibleFrom="sm">
              {text.column.length}
            </Table.Th>
            <Table.Th w={130}>{text.column.when}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.map((session) => (
            <Table.Tr key={session.session_id}>
              <Table.Td>
                <LinkAnchor to="/calls/$sessionId" params={{ sessionId: session.session_id }} className={lists.name}>
                  {toVisibleName(session.preview ?? '', calls.nothingSaid)}
                </LinkAnchor>
                <Text size="xs" c="dimmed" truncate>
                  {names.get(session.assistant_id)}
                </Text>
              </Table.Td>
              <Table.Td className={lists.number} visibleFrom="sm">
                {session.session_duration === null ? common.unknown : formatClock(session.session_duration)}
              </Table.Td>
              <Table.Td className={lists.quiet}>
                <Time at={getCallTime(session).toISOString()} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
