import { Paper, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import list from './list.module.css';
import classes from './long-table.module.css';
import type { RowPlace, VirtualRows } from './virtual-rows.ts';

interface Props {
  label: string;
  rows: VirtualRows;
  /** How many rows there are, drawn or not; undefined where more can be read. */
  count: number | undefined;
  /** The cells of the head. */
  head: ReactNode;
  /** One body or several, of those rows that are drawn. */
  children: ReactNode;
}

/** A table of which only the rows in sight are drawn, however many there are. */
export const LongTable = ({ label, rows: { table, above, below }, count, head, children }: Props) => (
  <Paper style={{ overflow: 'auto' }}>
    <Table
      ref={table}
      className={classes.table}
      aria-label={label}
      aria-rowcount={count === undefined ? -1 : count + 1}
      layout="fixed"
    >
      <Table.Thead className={list.head}>
        <Table.Tr>{head}</Table.Tr>
      </Table.Thead>
      <Undrawn height={above} />
      {children}
      <Undrawn height={below} />
    </Table>
  </Paper>
);

/** Stands for the rows that are not drawn. */
const Undrawn = ({ height }: { height: number }) => (
  <tbody>
    {height > 0 && (
      <tr aria-hidden>
        <td colSpan={6} style={{ height, padding: 0 }} />
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
