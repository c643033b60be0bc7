import { Table, Text } from '@mantine/core';
import { memo, useMemo } from 'react';
import type { Session } from '../api/types.ts';
import { calls as text } from '../strings/calls.ts';
import { common } from '../strings/common.ts';
import { LinkAnchor } from '../ui/page/link.tsx';
import list from '../ui/table/list.module.css';
import type { RowPosition } from '../ui/table/use-virtual-rows.ts';
import { TwoLines, VirtualRow, VirtualTable } from '../ui/table/virtual-table.tsx';
import { formatDateTime, formatTime } from '../ui/text/dates.ts';
import { toVisibleName } from '../ui/text/visible-text.ts';
import classes from './calls.module.css';
import { formatClock } from './clock.ts';
import { type Day, formatDayName, getCallTime, groupByDay } from './days.ts';

interface Props {
  sessions: Session[];
  /** True if all calls have loaded. */
  isAll: boolean;
}

/** A row of the table: the heading of a day, or a call. */
type TableLine = { day: Day<Session>; isAll: boolean; session?: Session };

/** Returns a unique key for a day. A day can occur twice, if an older release saved some of its calls late. */
const toDayKey = ({ date, items: [newest] }: Day<Session>) => `${date} ${newest?.session_id}`;

/** Table of calls, grouped by day. */
export function CallsTable({ sessions, isAll }: Props) {
  const lines = useMemo(() => {
    const days = groupByDay(sessions);
    return days.flatMap((day, index): TableLine[] => [
      { day, isAll: isAll || index < days.length - 1 },
      ...day.items.map((session) => ({ day, isAll, session })),
    ]);
  }, [sessions, isAll]);
  return (
    <VirtualTable
      label={text.list}
      items={lines}
      getKey={({ day, session }) => session?.session_id ?? toDayKey(day)}
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
        [...Map.groupBy(drawn, ({ item }) => item.day)].map(([day, callsOfDay]) => (
          <tbody key={toDayKey(day)}>
            {callsOfDay.map(({ item: { session, isAll }, ...place }) =>
              session ? (
                <CallRow key={session.session_id} session={session} {...place} />
              ) : (
                <DayRow key="day" day={day} isAll={isAll} {...place} />
              ),
            )}
          </tbody>
        ))
      }
    </VirtualTable>
  );
}

const DayRow = ({
  day: { date: day, items },
  isAll,
  ...place
}: RowPosition & { day: Day<Session>; isAll: boolean }) => (
  <VirtualRow className={classes.day} {...place}>
    <Table.Th colSpan={3} scope="rowgroup">
      {formatDayName(day, new Date())}
      <Text span size="xs" c="dimmed" ml="xs" fw={400}>
        {isAll ? text.count(items.length) : text.partialCount(items.length)}
      </Text>
    </Table.Th>
    <td className="mantine-visible-from-sm" />
    <td className="mantine-visible-from-md" />
  </VirtualRow>
);

interface CallRowProps extends RowPosition {
  session: Session;
}

/** Row of a call. Memoized, so that scrolling does not re-render it. */
const CallRow = memo(function CallRow({ session, ...place }: CallRowProps) {
  const { session_id, room_name, participant_name, assistant_name, assistant_id, preview, end_reason } = session;
  const { channel, message_count, session_duration } = session;
  const isText = channel === 'text';
  const at = getCallTime(session);
  return (
    <VirtualRow className={classes.call} {...place}>
      <td className={list.quiet}>
        <time dateTime={at.toISOString()} title={formatDateTime(at)}>
          {formatTime(at)}
        </time>
      </td>
      <td>
        <TwoLines
          main={
            <LinkAnchor to="/calls/$sessionId" params={{ sessionId: session_id }} className={list.name}>
              {toVisibleName(preview ?? '', text.nothingSaid)}
            </LinkAnchor>
          }
          more={
            <>
              {isText && <span className={classes.mark}>{text.channels.text}</span>}
              {text.details(participant_name ?? (isText ? null : text.unknownCaller), end_reason, room_name)}
            </>
          }
        />
      </td>
      <td className={`mantine-visible-from-sm ${list.cut}`}>{toVisibleName(assistant_name ?? assistant_id)}</td>
      <td className={`mantine-visible-from-md ${list.number}`}>{message_count.toLocaleString('en')}</td>
      <td className={list.number}>{session_duration === null ? common.unknown : formatClock(session_duration)}</td>
    </VirtualRow>
  );
});
