import Papa from 'papaparse';
import type { Bounds } from './limits.ts';
import { areColumnNames, formatCell, joinCells } from './rows.ts';
import { toOneLine } from './text.ts';

/**
 * Returns one line per row without its empty values. If the first row has column names, they precede the values, so that each line
 * makes sense alone: `name: Anna | city: Bern`.
 */
export function parseCsv(csv: string, bounds: Bounds): string {
  const lines: string[] = [];
  let names: string[] | undefined;
  let first = true;
  Papa.parse<string[]>(csv, {
    skipEmptyLines: 'greedy',
    // Row by row: all rows together would take 100 times the file's size in memory.
    step({ data }) {
      const cells = data.map(toOneLine);
      if (first) {
        first = false;
        if (areColumnNames(cells)) {
          names = cells;
          return;
        }
      }
      lines.push(bounds.limitText(joinCells(cells.map((cell, i) => formatCell(cell, names?.[i])))));
    },
  });
  // A file that has only column names still has text.
  return lines.length > 0 ? lines.join('\n') : (names ?? []).join(' | ');
}
