import { Group, Paper, Table, Text, Title } from '@mantine/core';
import type { Session } from '../api/types.ts';
import { clock } from '../calls/clock.ts';
import { getCallTime } from '../calls/days.ts';
import { namesOf } from '../calls/names.ts';
import { calls } from '../strings/calls.ts';
import { common } from '../strings/common.ts';
import { overview as text } from '../strings/overview.ts';
import { LinkAnchor } from '../ui/link.tsx';
import lists from '../ui/list.module.css';
import { Time } from '../ui/time.tsx';
import { nameToShow } from '../ui/visible.ts';

/** The newest calls, and the way to all. */
export function LastCalls({ sessions }: { sessions: readonly Session[] }) {
  const names = namesOf(sessions);
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
                  {nameToShow(session.preview ?? '', calls.nothingSaid)}
                </LinkAnchor>
                <Text size="xs" c="dimmed" truncate>
                  {names.get(session.assistant_id)}
                </Text>
              </Table.Td>
              <Table.Td className={lists.number} visibleFrom="sm">
                {session.session_duration === null ? common.unknown : clock(session.session_duration)}
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
