import { Table, Text } from '@mantine/core';
import { memo, useMemo } from 'react';
import type { Session } from '../api/types.ts';
import { calls as text } from '../strings/calls.ts';
import { common } from '../strings/common.ts';
import { formatMoment, formatTime } from '../ui/dates.ts';
import { LinkAnchor } from '../ui/link.tsx';
import list from '../ui/list.module.css';
import { Lines, LongTable, Row } from '../ui/long-table.tsx';
import type { RowPlace } from '../ui/virtual-rows.ts';
import { nameToShow } from '../ui/visible.ts';
import classes from './calls.module.css';
import { clock } from './clock.ts';
import { type Day, dayName, getCallTime, groupByDay } from './days.ts';

interface Props {
  sessions: Session[];
  /** There are no more of them. */
  isAll: boolean;
}

/** A line of the table: that of a day, or a call of it. */
type Line = { day: Day<Session>; isAll: boolean; session?: Session };

/** A key of a day. Calls that were saved late by an older release may have their day named again further down. */
const keyOfDay = ({ date, items: [newest] }: Day<Session>) => `${date} ${newest?.session_id}`;

/** The calls by day, however many. */
export function CallsTable({ sessions, isAll }: Props) {
  const lines = useMemo(() => {
    const days = groupByDay(sessions);
    return days.flatMap((day, index): Line[] => [
      { day, isAll: isAll || index < days.length - 1 },
      ...day.items.map((session) => ({ day, isAll, session })),
    ]);
  }, [sessions, isAll]);
  return (
    <LongTable
      label={text.list}
      items={lines}
      keyOf={({ day, session }) => session?.session_id ?? keyOfDay(day)}
      hasMore={!isAll}
      head={
        <>
          <Table.Th w={72}>{text.column.time}</Table.Th>
          <Table.Th>{text.column.call}</Table.Th>
          <Table.Th w="22%" visibleFrom="sm">
            {text.column.assistant}
          </Table.Th>
          <Table.Th w={84} ta="right" visibleFrom="md">
            {text.column.messages}
          </Table.Th>
          <Table.Th w={84} ta="right">
            {text.column.length}
          </Table.Th>
        </>
      }
    >
      {(drawn) =>
        [...Map.groupBy(drawn, ({ item }) => item.day)].map(([day, ofDay]) => (
          <tbody key={keyOfDay(day)}>
            {ofDay.map(({ item: { session, isAll }, ...place }) =>
              session ? (
                <CallRow key={session.session_id} session={session} {...place} />
              ) : (
                <DayRow key="day" day={day} isAll={isAll} {...place} />
              ),
            )}
          </tbody>
        ))
      }
    </LongTable>
  );
}

const DayRow = ({ day: { date: day, items }, isAll, ...place }: RowPlace & { day: Day<Session>; isAll: boolean }) => (
  <Row className={classes.day} {...place}>
    <Table.Th colSpan={3} scope="rowgroup">
      {dayName(day, new Date())}
      <Text span size="xs" c="dimmed" ml="xs" fw={400}>
        {isAll ? text.count(items.length) : text.countSoFar(items.length)}
      </Text>
    </Table.Th>
    <td className="mantine-visible-from-sm" />
    <td className="mantine-visible-from-md" />
  </Row>
);

interface CallRowProps extends RowPlace {
  session: Session;
}

/** A call. Memoized, so that scrolling does not draw it anew. */
const CallRow = memo(function CallRow({ session, ...place }: CallRowProps) {
  const { session_id, room_name, participant_name, assistant_name, assistant_id, preview, end_reason } = session;
  const { message_count, session_duration } = session;
  const at = getCallTime(session);
  return (
    <Row className={classes.call} {...place}>
      <td className={list.quiet}>
        <time dateTime={at.toISOString()} title={formatMoment(at)}>
          {formatTime(at)}
        </time>
      </td>
      <td>
        <Lines
          main={
            <LinkAnchor to="/calls/$sessionId" params={{ sessionId: session_id }} className={list.name}>
              {nameToShow(preview ?? '', text.nothingSaid)}
            </LinkAnchor>
          }
          more={text.details(participant_name, end_reason, room_name)}
        />
      </td>
      <td className={`mantine-visible-from-sm ${list.cut}`}>{nameToShow(assistant_name ?? assistant_id)}</td>
      <td className={`mantine-visible-from-md ${list.number}`}>{message_count.toLocaleString('en')}</td>
      <td className={list.number}>{session_duration === null ? common.unknown : clock(session_duration)}</td>
    </Row>
  );
});
