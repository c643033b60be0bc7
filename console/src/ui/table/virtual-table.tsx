import { Paper, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import list from './list.module.css';
import { type RowPosition, useVirtualRows } from './use-virtual-rows.ts';
import classes from './virtual-table.module.css';

/** An item and the position of its row. */
export interface PlacedItem<T> extends RowPosition {
  item: T;
}

interface Props<T> {
  label: string;
  /** One per row. */
  items: readonly T[];
  getKey: (item: T) => string;
  /** True if there are more items to load. */
  hasMore: boolean;
  /** Cells of the header row. */
  head: ReactNode;
  /** Renders the visible rows, in one <tbody> or several. */
  children: (drawn: PlacedItem<T>[]) => ReactNode;
}

/** Table that renders only the visible rows, so that it can hold any number. */
export function VirtualTable<T>({ label, items, getKey, hasMore, head, children }: Props<T>) {
  const { table, indices, above, below, measure } = useVirtualRows({
    count: items.length,
    getKey: (index) => getKey(items[index] as T),
  });
  // After the list has shrunk, one render still uses the old indices.
  const rows = indices.filter((index) => index < items.length);
  return (
    <Paper style={{ overflow: 'auto' }}>
      <Table
        ref={table}
        className={classes.table}
        aria-label={label}
        aria-rowcount={hasMore ? -1 : items.length + 1}
        layout="fixed"
      >
        <Table.Thead className={list.head}>
          <Table.Tr>{head}</Table.Tr>
        </Table.Thead>
        <Spacer height={above} />
        {children(rows.map((index) => ({ item: items[index] as T, index, measure })))}
        <Spacer height={below} />
      </Table>
    </Paper>
  );
}

/**
 * Placeholder for the rows that are not rendered. It has a single cell: in a fixed layout, a cell that spans more
 * columns than the header adds empty columns.
 */
const Spacer = ({ height }: { height: number }) => (
  <tbody>
    {height > 0 && (
      <tr aria-hidden>
        <td style={{ height, padding: 0 }} />
      </tr>
    )}
  </tbody>
);

interface RowProps extends RowPosition {
  className?: string | undefined;
  /** Native cells: Mantine's render many times slower, and scrolling brings in many rows a second. */
  children: ReactNode;
}

/** A table row. Row index 1 is the header. */
export const VirtualRow = ({ index, measure, className, children }: RowProps) => (
  <tr className={className} data-index={index} aria-rowindex={index + 2} ref={measure}>
    {children}
  </tr>
);

/** Two lines of a cell, the second one dimmed. Both are truncated to fit. */
export const TwoLines = ({ main, more }: { main: ReactNode; more: ReactNode }) => (
  <>
    <div className={list.cut}>{main}</div>
    <div className={`${list.cut} ${classes.more}`}>{more || '\u00a0'}</div>
  </>
);
