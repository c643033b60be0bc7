import Papa from 'papaparse';
import type { Bounds } from './bounds.ts';
import { inline } from './text.ts';

/** Names of columns: there are several, none is missing, a number, or there twice. */
const areNames = (cells: string[]) =>
  cells.length > 1 &&
  new Set(cells).size === cells.length &&
  cells.every((cell) => cell !== '' && !/^[\d.,\s%-]+$/.test(cell));

/**
 * One line for each row. Where the first row names the columns, each value has its name before it, so that a row can be
 * understood on its own: `name: Anna | city: Bern`. Empty values are left out.
 */
export function textOfCsv(csv: string, bounds: Bounds): string {
  const lines: string[] = [];
  let names: string[] | undefined;
  let first = true;
  Papa.parse<string[]>(csv, {
    skipEmptyLines: 'greedy',
    // Row by row: all rows at once would take a hundred times the file in memory.
    step({ data }) {
      const cells = data.map(inline);
      if (first) {
        first = false;
        if (areNames(cells)) {
          names = cells;
          return;
        }
      }
      const known = cells.map((cell, i) => (cell && names?.[i] ? `${names[i]}: ${cell}` : cell)).filter(Boolean);
      lines.push(bounds.take(known.join(' | ')));
    },
  });
  // A file of nothing but names is still a file with text.
  return lines.length > 0 ? lines.join('\n') : (names ?? []).join(' | ');
}
