import { Paper, Table, Text } from '@mantine/core';
import { memo, useMemo } from 'react';
import type { Session } from '../api/types.ts';
import { calls as text } from '../strings/calls.ts';
import { common } from '../strings/common.ts';
import { LinkAnchor } from '../ui/link.tsx';
import list from '../ui/list.module.css';
import { fullTime } from '../ui/relative-time.ts';
import { type RowPlace, rowAt, Spacer, useVirtualRows } from '../ui/virtual-rows.tsx';
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

/** A line of the table: that of a day, or a call of it. */
type Line = { day: Day<Session>; isAll: boolean; session?: Session };

/** The calls by day, of which only those in sight are drawn, however many. */
export function CallsTable({ sessions, isAll }: Props) {
  const lines = useMemo(() => {
    const days = byDay(sessions);
    return days.flatMap((day, index): Line[] => [
      { day, isAll: isAll || index < days.length - 1 },
      ...day.items.map((session) => ({ day, isAll, session })),
    ]);
  }, [sessions, isAll]);
  const { table, indices, above, below, measure } = useVirtualRows({
    count: lines.length,
    keyOf: (index) => lines[index]?.session?.session_id ?? lines[index]?.day.date ?? String(index),
  });
  const shown = Map.groupBy(indices, (index) => lines[index]?.day);
  return (
    <Paper style={{ overflow: 'auto' }}>
      <Table ref={table} aria-label={text.list} aria-rowcount={isAll ? lines.length + 1 : -1} layout="fixed">
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
        <Table.Tbody>
          <Spacer height={above} />
        </Table.Tbody>
        {[...shown].map(([day, ofDay]) => (
          <Table.Tbody key={day?.date}>
            {ofDay.map((index) => {
              const line = lines[index];
              if (!line) return null;
              const { session } = line;
              const place = { index, measure };
              return session ? (
                <Row key={session.session_id} session={session} day={line.day.date} {...place} />
              ) : (
                <DayRow key="day" day={line.day} isAll={line.isAll} {...place} />
              );
            })}
          </Table.Tbody>
        ))}
        <Table.Tbody>
          <Spacer height={below} />
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

const DayRow = ({ day: { date: day, items }, isAll, ...place }: RowPlace & { day: Day<Session>; isAll: boolean }) => (
  <Table.Tr className={classes.day} {...rowAt(place)}>
    <Table.Th colSpan={3} scope="rowgroup">
      {dayName(day, new Date())}
      <Text span size="xs" c="dimmed" ml="xs" fw={400}>
        {isAll ? text.count(items.length) : text.countSoFar(items.length)}
      </Text>
    </Table.Th>
    <Table.Td visibleFrom="sm" />
    <Table.Td visibleFrom="md" />
  </Table.Tr>
);

interface RowProps extends RowPlace {
  session: Session;
  /** On which it was saved. */
  day: string;
}

/** A call. One that began on another day than it was saved, such as before midnight, says so. Not drawn anew by scrolling. */
const Row = memo(function Row({ session, day, ...place }: RowProps) {
  const { session_id, room_name, participant_name, assistant_name, assistant_id, preview } = session;
  const { message_count, session_duration } = session;
  const at = momentOf(session);
  return (
    <Table.Tr className={classes.call} {...rowAt(place)}>
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
});
