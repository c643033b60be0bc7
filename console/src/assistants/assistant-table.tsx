import { Paper, Table, VisuallyHidden } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import type { Assistant } from '../api/types.ts';
import { assistants as text } from '../strings/assistants.ts';
import list from '../ui/list.module.css';
import { AssistantRow } from './assistant-row.tsx';

interface Props {
  assistants: Assistant[];
  /** Whether there are more that have not been read. */
  hasMore: boolean;
}

const rowHeight = 57;

/** The assistants, of which only those in sight are drawn, however many. */
export function AssistantTable({ assistants, hasMore }: Props) {
  const table = useRef<HTMLTableElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop(table.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: assistants.length,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollMargin: top,
    getItemKey: (index) => assistants[index]?.id ?? index,
  });
  const rows = virtual.getVirtualItems();
  const above = (rows[0]?.start ?? top) - top;
  const below = virtual.getTotalSize() - ((rows.at(-1)?.end ?? top) - top);

  return (
    <Paper style={{ overflow: 'auto' }}>
      <Table
        ref={table}
        aria-label={text.list}
        aria-rowcount={hasMore ? -1 : assistants.length + 1}
        highlightOnHover
        layout="fixed"
      >
        <Table.Thead className={list.head}>
          <Table.Tr>
            <Table.Th>{text.field.name}</Table.Th>
            <Table.Th w="19%" visibleFrom="md">
              {text.column.model}
            </Table.Th>
            <Table.Th w="19%" visibleFrom="md">
              {text.column.voice}
            </Table.Th>
            <Table.Th w={104} visibleFrom="lg">
              {text.column.language}
            </Table.Th>
            <Table.Th w={130} visibleFrom="sm">
              {text.column.edited}
            </Table.Th>
            <Table.Th w={56}>
              <VisuallyHidden>{text.column.actions}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Spacer height={above} />
          {rows.map(({ index }) => {
            const assistant = assistants[index];
            return (
              assistant && (
                <AssistantRow key={assistant.id} assistant={assistant} index={index} measure={virtual.measureElement} />
              )
            );
          })}
          <Spacer height={below} />
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

/** Stands for the rows that are not drawn. */
const Spacer = ({ height }: { height: number }) =>
  height > 0 && (
    <tr aria-hidden>
      <td colSpan={6} style={{ height, padding: 0 }} />
    </tr>
  );
