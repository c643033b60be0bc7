import { Paper, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import list from './list.module.css';
import classes from './long-table.module.css';
import { type RowPlace, useVirtualRows } from './virtual-rows.ts';

/** An item, and where its row is. */
export interface Placed<T> extends RowPlace {
  item: T;
}

interface Props<T> {
  label: string;
  /** One for each row. */
  items: readonly T[];
  keyOf: (item: T) => string;
  /** Whether there are more that have not been read. */
  hasMore: boolean;
  /** The cells of the head. */
  head: ReactNode;
  /** Gives one body or several, of those rows that are drawn. */
  children: (drawn: Placed<T>[]) => ReactNode;
}

/** A table of which only the rows in sight are drawn, however many there are. */
export function LongTable<T>({ label, items, keyOf, hasMore, head, children }: Props<T>) {
  const { table, indices, above, below, measure } = useVirtualRows({
    count: items.length,
    keyOf: (index) => keyOf(items[index] as T),
  });
  // A list that has become shorter is drawn once more by the places of before.
  const drawn = indices.filter((index) => index < items.length);
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
        <Undrawn height={above} />
        {children(drawn.map((index) => ({ item: items[index] as T, index, measure })))}
        <Undrawn height={below} />
      </Table>
    </Paper>
  );
}

/**
 * Placeholder for the rows that are not drawn. It has one cell: in a table of fixed layout, a cell that spans more columns than
 * the head shows adds empty ones.
 */
const Undrawn = ({ height }: { height: number }) => (
  <tbody>
    {height > 0 && (
      <tr aria-hidden>
        <td style={{ height, padding: 0 }} />
      </tr>
    )}
  </tbody>
);

interface RowProps extends RowPlace {
  className?: string | undefined;
  /** Cells of the browser's own: Mantine's take many times as long to draw, and a wheel brings many rows a second. */
  children: ReactNode;
}

/** A row in its place: the table's head is its first one. */
export const Row = ({ index, measure, className, children }: RowProps) => (
  <tr className={className} data-index={index} aria-rowindex={index + 2} ref={measure}>
    {children}
  </tr>
);

/** What is in a cell of two lines, of which the second is quieter. What has no room is cut off. */
export const Lines = ({ main, more }: { main: ReactNode; more: string | null }) => (
  <>
    <div className={list.cut}>{main}</div>
    <div className={`${list.cut} ${classes.more}`}>{more || '\u00a0'}</div>
  </>
);
