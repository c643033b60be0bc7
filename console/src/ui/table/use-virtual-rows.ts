import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useRef } from 'react';
import { useOffsetTop } from './use-offset-top.ts';

/** Height of a row before it is measured, in pixels: two lines. */
const estimatedHeightPx = 57;

/** Index of a row, and the ref that measures its height. */
export interface RowPosition {
  /** Index among all rows, from 0. */
  index: number;
  measure: (row: HTMLTableRowElement | null) => void;
}

interface Props {
  /** Number of rows. */
  count: number;
  getKey: (index: number) => string;
}

interface VirtualRows {
  table: RefObject<HTMLTableElement | null>;
  /** Indices of the rendered rows. */
  indices: number[];
  /** Height of the rows above and below that are not rendered, in pixels. */
  above: number;
  below: number;
  /** Ref for each row. */
  measure: RowPosition['measure'];
}

/** Determines the rows of a table to render: those in the viewport and a few around it. */
export function useVirtualRows({ count, getKey }: Props): VirtualRows {
  const table = useRef<HTMLTableElement>(null);
  const top = useOffsetTop(table);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => estimatedHeightPx,
    overscan: 6,
    scrollMargin: top,
    getItemKey: getKey,
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
