import type { Bounds } from './limits.ts';
import { areColumnNames, type Cell, formatCell, joinCells } from './rows.ts';
import { normalizeText, toOneLine } from './text.ts';

/** Writes the sheets of a spreadsheet: a title each, then a line per row with the column names before the values. */
export function createSheetWriter(bounds: Bounds) {
  const lines: string[] = [];
  let names: Map<number, string> | undefined;
  return {
    startSheet(title: string) {
      names = undefined;
      lines.push('', bounds.limitText(toOneLine(title)), '');
    },
    /** Writes a row. The first one with several values may have the column names. Rows before it are titles. */
    writeRow(cells: Cell[]) {
      if (cells.length === 0) return;
      if (names === undefined && cells.length > 1) {
        const values = cells.map(({ value }) => value);
        names = new Map(areColumnNames(values) ? cells.map(({ column, value }) => [column, value]) : []);
        lines.push(bounds.limitText(joinCells(values)));
      } else {
        const values = cells.map(({ column, value }) => formatCell(value, names?.get(column)));
        lines.push(bounds.limitText(joinCells(values)));
      }
    },
    /** Writes text that is in no cell. The caller has limited it. */
    writeLines: (text: string) => void lines.push('', text),
    text: () => normalizeText(lines.join('\n')),
  };
}
