import Papa from 'papaparse';
import type { Bounds } from './limits.ts';
import { toOneLine } from './text.ts';

/** Returns true if a row looks like column names: at least two, all different, none empty or a number. */
const areColumnNames = (cells: string[]) =>
  cells.length > 1 &&
  new Set(cells).size === cells.length &&
  cells.every((cell) => cell !== '' && !/^[\d.,\s%-]+$/.test(cell));

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
      const known = cells.map((cell, i) => (cell && names?.[i] ? `${names[i]}: ${cell}` : cell)).filter(Boolean);
      lines.push(bounds.limitText(known.join(' | ')));
    },
  });
  // A file that has only column names still has text.
  return lines.length > 0 ? lines.join('\n') : (names ?? []).join(' | ');
}
