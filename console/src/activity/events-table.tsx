import { Table, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { Event } from '../api/types.ts';
import { activity as text } from '../strings/activity.ts';
import list from '../ui/table/list.module.css';
import type { RowPosition } from '../ui/table/use-virtual-rows.ts';
import { TwoLines, VirtualRow, VirtualTable } from '../ui/table/virtual-table.tsx';
import { CodeView } from '../ui/text/code-view.tsx';
import { Time } from '../ui/text/time.tsx';
import { toVisibleName } from '../ui/text/visible-text.ts';

/** Table of events. A row opens to the event's JSON. */
export function EventsTable({ events, hasMore }: { events: Event[]; hasMore: boolean }) {
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => setOpenIds((now) => now.symmetricDifference(new Set([id])));
  return (
    <VirtualTable
      label={text.list}
      items={events}
      getKey={({ id }) => id}
      hasMore={hasMore}
      head={
        <>
          <Table.Th>{text.column.event}</Table.Th>
          <Table.Th w="30%" visibleFrom="sm">
            {text.column.actor}
          </Table.Th>
          <Table.Th w={130}>{text.column.time}</Table.Th>
        </>
      }
    >
      {(drawn) => (
        <tbody>
          {drawn.map(({ item, ...place }) => (
            <EventRow
              key={item.id}
              event={item}
              isOpen={openIds.has(item.id)}
              onToggle={() => toggle(item.id)}
              {...place}
            />
          ))}
        </tbody>
      )}
    </VirtualTable>
  );
}

interface RowProps extends RowPosition {
  event: Event;
  isOpen: boolean;
  onToggle: () => void;
}

function EventRow({ event, isOpen, onToggle, ...place }: RowProps) {
  const { id, type, data, subject, actor, created_at } = event;
  return (
    <VirtualRow {...place}>
      <td>
        <TwoLines
          main={
            <UnstyledButton className={list.name} aria-expanded={isOpen} onClick={onToggle}>
              {text.types[type]}
            </UnstyledButton>
          }
          more={toVisibleName(text.detail(data) ?? subject.id)}
        />
        {isOpen && <CodeView name={id} code={JSON.stringify(event, null, 2)} />}
      </td>
      <td className={`mantine-visible-from-sm ${list.cut}`}>{text.actor(actor.kind, toVisibleName(actor.id))}</td>
      <td className={list.quiet}>
        <Time at={created_at} />
      </td>
    </VirtualRow>
  );
}
