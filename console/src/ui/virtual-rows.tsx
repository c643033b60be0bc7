import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

interface Props {
  /** How many rows there are. */
  count: number;
  /** About how high each is, in pixels: it is measured when it is drawn. */
  rowHeight: number;
  keyOf: (index: number) => string;
}

interface VirtualRows {
  table: RefObject<HTMLTableElement | null>;
  /** The indices of the rows that are drawn. */
  indices: number[];
  /** The pixels of those above and below that are not. */
  above: number;
  below: number;
  /** The `ref` of each row, which has its index as `data-index`. */
  measure: (row: HTMLTableRowElement | null) => void;
}

/** The rows of a table that are in sight as the page is scrolled, or nearly so: only these are drawn, however many there are. */
export function useVirtualRows({ count, rowHeight, keyOf }: Props): VirtualRows {
  const table = useRef<HTMLTableElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const look = () => setTop(Math.round((table.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    look();
    // What stands above the table comes and goes.
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => rowHeight,
    overscan: 10,
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

/** Stands for the rows that are not drawn. */
export const Spacer = ({ height }: { height: number }) =>
  height > 0 && (
    <tr aria-hidden>
      <td colSpan={6} style={{ height, padding: 0 }} />
    </tr>
  );
