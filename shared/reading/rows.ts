import { limits } from './limits.ts';
import { Unreadable } from './unreadable.ts';

/** Value in a row of a table, and its place in the row. */
export interface Cell {
  column: number;
  /** Text in one line, never empty. */
  value: string;
}

/** Number of columns that a sheet may have. */
export const maxColumns = 16_384;

/** Creates a row. Its cells throw Unreadable once they have more text than a file may have, since many can share one text. */
export function createRow() {
  const cells: Cell[] = [];
  const taken = new Set<number>();
  let left = limits.textBytes;
  return {
    cells,
    /** Adds a value in one line, unless it is empty, its column is taken, or no sheet has that column. */
    add(column: number, value: string): void {
      left -= value.length;
      if (left < 0)
        throw new Unreadable('too_large', 'A row has more than 30 MB of text: split it, then upload its parts');
      if (!value || taken.has(column) || column >= maxColumns) return;
      taken.add(column);
      cells.push({ column, value });
    },
  };
}

/** Returns true if the values of a row look like column names: at least two, all different, none empty or a number. */
export const areColumnNames = (values: string[]): boolean =>
  values.length > 1 &&
  new Set(values).size === values.length &&
  values.every((value) => value !== '' && !/^[\d.,\s%-]+$/.test(value));

/** Formats a value with the name of its column, if it has one. Empty values stay empty. */
export const formatCell = (value: string, name: string | undefined): string =>
  value && name ? `${name}: ${value}` : value;

/** Joins the values of a row that are not empty. */
export const joinCells = (values: string[]): string => values.filter(Boolean).join(' | ');
