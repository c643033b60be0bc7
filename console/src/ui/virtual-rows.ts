import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useRef } from 'react';
import { useTop } from './use-top.ts';

/** Pixels of a row of two lines, until it is drawn and measured. */
const usualHeight = 57;

/** Where a row is, and what finds out how high it is. */
export interface RowPlace {
  /** From 0, among all. */
  index: number;
  measure: (row: HTMLTableRowElement | null) => void;
}

interface Props {
  /** How many rows there are. */
  count: number;
  keyOf: (index: number) => string;
}

interface VirtualRows {
  table: RefObject<HTMLTableElement | null>;
  /** The indices of the rows that are drawn. */
  indices: number[];
  /** The pixels of those above and below that are not. */
  above: number;
  below: number;
  /** For the place of each row. */
  measure: RowPlace['measure'];
}

/** The rows of a table that are in sight as the page is scrolled, or nearly so: only these are drawn, however many there are. */
export function useVirtualRows({ count, keyOf }: Props): VirtualRows {
  const table = useRef<HTMLTableElement>(null);
  const top = useTop(table);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => usualHeight,
    overscan: 6,
    scrollMargin: top,
    getItemKey: keyOf,
  });
  const rows = virtual.getVirtualItems();
  return {
    table,
    indices: rows.map(({ index }) => index),
    above: (rows[0]?.start ?? top) - top,
    below: virtual.getTotalSize() - ((rows.at(-1)?.end ?? top) - top),
    measure: virtual.measureElement,
  };
}
