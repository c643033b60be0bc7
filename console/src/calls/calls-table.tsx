import { Paper, Table, Text } from '@mantine/core';
import type { Session } from '../api/types.ts';
import { calls as text } from '../strings/calls.ts';
import { common } from '../strings/common.ts';
import { LinkAnchor } from '../ui/link.tsx';
import list from '../ui/list.module.css';
import { fullTime } from '../ui/relative-time.ts';
import classes from './calls.module.css';
import { clock } from './clock.ts';
import { byDay, type Day, dayName, dayOf, momentOf } from './days.ts';

interface Props {
  sessions: Session[];
  /** There are no more of them. */
  isAll: boolean;
}

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

export function CallsTable({ sessions, isAll }: Props) {
  const days = byDay(sessions);
  return (
    <Paper style={{ overflow: 'auto' }}>
      <Table aria-label={text.list} layout="fixed">
        <Table.Thead className={list.head}>
          <Table.Tr>
            <Table.Th w={72}>{text.column.time}</Table.Th>
            <Table.Th>{text.column.call}</Table.Th>
            <Table.Th w="22%" visibleFrom="sm">
              {text.column.assistant}
            </Table.Th>
            <Table.Th w={72} ta="right" visibleFrom="md">
              {text.column.messages}
            </Table.Th>
            <Table.Th w={84} ta="right">
              {text.column.length}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        {days.map((day, index) => (
          <CallsOfDay key={day.date} day={day} isAll={isAll || index < days.length - 1} />
        ))}
      </Table>
    </Paper>
  );
}

const CallsOfDay = ({ day: { date: day, items }, isAll }: { day: Day<Session>; isAll: boolean }) => (
  <Table.Tbody>
    <Table.Tr className={classes.day}>
      <Table.Th colSpan={3} scope="rowgroup">
        {dayName(day, new Date())}
        <Text span size="xs" c="dimmed" ml="xs" fw={400}>
          {isAll ? text.count(items.length) : text.countSoFar(items.length)}
        </Text>
      </Table.Th>
      <Table.Td visibleFrom="sm" />
      <Table.Td visibleFrom="md" />
    </Table.Tr>
    {items.map((session) => (
      <Row key={session.session_id} session={session} day={day} />
    ))}
  </Table.Tbody>
);

/** A call among those that were saved on `day`. One that began on another, such as before midnight, says so. */
function Row({ session, day }: { session: Session; day: string }) {
  const { session_id, room_name, participant_name, assistant_name, assistant_id, preview } = session;
  const { message_count, session_duration } = session;
  const at = momentOf(session);
  return (
    <Table.Tr className={classes.call}>
      <Table.Td className={list.quiet}>
        <time dateTime={at.toISOString()} title={fullTime(at)}>
          {time.format(at)}
          {dayOf(at) !== day && <Text size="xs">{date.format(at)}</Text>}
        </time>
      </Table.Td>
      <Table.Td>
        <LinkAnchor to="/calls/$sessionId" params={{ sessionId: session_id }} className={list.name}>
          {preview ?? text.nothingSaid}
        </LinkAnchor>
        <Text size="xs" c="dimmed" truncate>
          {text.who(participant_name, room_name)}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm" truncate>
          {assistant_name ?? assistant_id}
        </Text>
      </Table.Td>
      <Table.Td ta="right" visibleFrom="md">
        {message_count.toLocaleString('en')}
      </Table.Td>
      <Table.Td ta="right" className={classes.number}>
        {session_duration === null ? common.unknown : clock(session_duration)}
      </Table.Td>
    </Table.Tr>
  );
}
