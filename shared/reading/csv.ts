import Papa from 'papaparse';
import type { Bounds } from './limits.ts';
import { writeNamedLines } from './named-lines.ts';
import { areColumnNames, formatCell, joinCells } from './rows.ts';
import { toOneLine } from './text.ts';

/** Blanks that no value needs, in pieces of up to 1,000. Tabs may separate empty cells. */
const blanks = /[^\S\n\t]{20,1000}/g;

/** Blanks and tabs in pieces of up to 1,000. A longer piece would overflow the stack of the regular expression. */
const gaps = /[^\S\n]{20,1000}/g;

/**
 * Shortens gaps to one space, and those with tabs to some thousand characters: papaparse would look at longer ones again after each quote
 * before them. No row has as many empty cells.
 */
function shortenGaps(csv: string): string {
  let end = -1;
  return csv.replace(blanks, ' ').replace(gaps, (gap, at: number) => {
    const continues = at === end;
    end = at + gap.length;
    return continues ? '' : gap;
  });
}

const format = { newline: '\n', skipEmptyLines: 'greedy' } as const;

/**
 * Returns the delimiter that the first megabyte has. Papaparse looks at ten rows, which may be the whole file, with each delimiter, and
 * keeps an error for every quote that is misplaced with it.
 */
function guessDelimiter(csv: string): string {
  const head = csv.slice(0, 1_000_000);
  const end = head.length < csv.length ? head.lastIndexOf('\n') : -1; // a row that is cut has fewer values
  return Papa.parse(end < 0 ? head : head.slice(0, end), { ...format, preview: 1 }).meta.delimiter;
}

/**
 * Returns one line per row without its empty values. If the first row seems to have column names, they also precede the values below,
 * so that each line makes sense alone: `name: Anna | city: Bern`. It may be a row like the others, so it has a line, too.
 */
export function parseCsv(csv: string, bounds: Bounds): string {
  const plain = shortenGaps(csv.replace(/\r\n?/g, '\n'));
  const delimiter = guessDelimiter(plain);
  return writeNamedLines((repeatsNames, add) => {
    let names: string[] | undefined = repeatsNames ? undefined : [];
    Papa.parse<string[]>(plain, {
      ...format,
      delimiter,
      // Row by row: all rows together would take 100 times the file's size in memory.
      step({ data }, parser) {
        const cells = data.map(toOneLine);
        if (!add(joinCells(cells.map((cell, i) => formatCell(cell, names?.[i]))))) parser.abort();
        names ??= areColumnNames(cells) ? cells : [];
      },
    });
  }, bounds);
}
