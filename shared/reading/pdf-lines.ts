import type { PDFPageProxy } from 'pdfjs-dist';
import { joinCells } from './rows.ts';

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;

/** Text on one line in one font, as pdf.js finds it. */
export type TextItem = Extract<TextContent['items'][number], { str: string }>;

/** Fonts of a page, by the names that its text has. */
export type Styles = TextContent['styles'];

/** Text on one baseline without a wide gap. Positions are in the direction of the text, and across it. */
interface Segment {
  items: TextItem[];
  /** Direction of the text in degrees. */
  turn: number;
  from: number;
  to: number;
  baseline: number;
  /** Height of the letters. */
  size: number;
}

/** Segments that follow each other in the file, up to a line end. */
interface Line {
  segments: Segment[];
  first: Segment;
  /** Place of the line in the file. */
  place: number;
  isProse: boolean;
}

/** Gap between two cells, and between two words, as a share of the size of the letters. */
const cellGap = 1.5;
const wordGap = 0.1;

/** Characters that cells rarely have, and that lines of a narrow column do. */
const proseLength = 25;

function locate(item: TextItem, styles: Styles): Segment {
  const [a, b, c, d, x, y] = item.transform as [number, number, number, number, number, number];
  const isVertical = styles[item.fontName]?.vertical ?? false;
  const [right, up] = isVertical ? [-c, -d] : [a, b];
  const scale = Math.hypot(right, up) || 1;
  const [cos, sin] = [right / scale, up / scale];
  const [length, height] = isVertical ? [item.height, item.width] : [item.width, item.height];
  const from = x * cos + y * sin;
  return {
    items: [item],
    turn: Math.round((Math.atan2(sin, cos) * 180) / Math.PI),
    from,
    to: from + length,
    baseline: y * cos - x * sin,
    size: Math.max(height, length / item.str.length), // some fonts declare a height of zero
  };
}

/** Returns true if text continues a segment: not after a wide gap, nor before its last letter. */
const continues = (segment: Segment, next: Segment): boolean =>
  segment.turn === next.turn &&
  next.from < segment.to + cellGap * segment.size &&
  next.from > segment.to - segment.size;

/** Splits the text of a page into lines, in the order of the file. */
function splitLines(items: readonly TextItem[], styles: Styles): Line[] {
  const lines: Line[] = [];
  let line: Line | undefined;
  for (const item of items) {
    if (item.str.trim() !== '') {
      const next = locate(item, styles);
      const last = line?.segments.at(-1);
      if (!line) {
        line = { segments: [next], first: next, place: lines.length, isProse: false };
        lines.push(line);
      } else if (last && continues(last, next)) {
        last.items.push(item);
        last.to = Math.max(last.to, next.to);
      } else line.segments.push(next);
    } else if (item.str !== '') line?.segments.at(-1)?.items.push(item);
    if (item.hasEOL) line = undefined;
  }
  return lines;
}

const countCharacters = ({ segments }: Line) =>
  segments.reduce((sum, { items }) => sum + items.reduce((all, { str }) => all + str.length, 0), 0);

/** Returns true if a line is below another in the same column. */
const isBelow = ({ first: above }: Line, { first: below }: Line): boolean =>
  below.turn === above.turn &&
  below.baseline < above.baseline &&
  below.baseline > above.baseline - 3 * above.size &&
  below.from < above.to &&
  above.from < below.to;

/** Marks the lines of columns of text, which never share a row with each other. Lines of a column follow each other in the file. */
function markProse(lines: readonly Line[]): void {
  let column: Line[] = [];
  const close = () => {
    const characters = column.reduce((sum, line) => sum + countCharacters(line), 0);
    const segments = column.reduce((sum, line) => sum + line.segments.length, 0);
    if (characters >= proseLength * segments) for (const line of column) line.isProse = true;
  };
  for (const line of lines) {
    const above = column.at(-1);
    if (above && !isBelow(above, line)) {
      close();
      column = [];
    }
    column.push(line);
  }
  close();
}

/** Returns true if lines on one baseline, in the order of the file, are cells of a row, and no columns of text. */
function areCells(row: readonly Line[]): boolean {
  const prose = row.filter(({ isProse }) => isProse).length;
  const follow = (row.at(-1)?.place ?? 0) - (row[0]?.place ?? 0) < row.length;
  return prose === 0 || (prose === 1 && follow);
}

/** Groups lines on the same baseline to rows. A row is where the first of its lines is. */
function groupRows(lines: readonly Line[]): Line[][] {
  const order = lines.toSorted(
    (one, other) => one.first.turn - other.first.turn || other.first.baseline - one.first.baseline,
  );
  const rows: Line[][] = [];
  for (const line of order) {
    const row = rows.at(-1);
    const { turn, baseline, size } = row?.[0]?.first ?? { turn: Number.NaN, baseline: 0, size: 0 };
    if (row && line.first.turn === turn && baseline - line.first.baseline < 0.4 * Math.min(size, line.first.size)) {
      row.push(line);
    } else rows.push([line]);
  }
  return rows
    .map((row) => row.sort((one, other) => one.place - other.place))
    .flatMap((row) => (areCells(row) ? [row] : row.map((line) => [line])))
    .sort(([one], [other]) => (one?.place ?? 0) - (other?.place ?? 0));
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu;
const letters = /\p{L}/gu;

/** Returns true if most letters of a text are written from right to left. */
function isRightToLeft(text: string): boolean {
  const count = text.match(rightToLeft)?.length ?? 0;
  return count > 0 && 2 * count > (text.match(letters)?.length ?? 0);
}

/** Joins the text of a row from left to right, cells with ` | `. */
function joinLeftToRight(segments: readonly Segment[]): string {
  const cells: string[] = [];
  let end = -Infinity;
  for (const { items, from, to, size } of segments) {
    const text = items.map(({ str }) => str).join('');
    const before = cells.at(-1);
    if (before === undefined || Math.abs(from - end) > cellGap * size) cells.push(text);
    else cells[cells.length - 1] = `${before}${from - end > wordGap * size ? ' ' : ''}${text}`;
    end = to;
  }
  return joinCells(cells.map((cell) => cell.replace(/\s+/g, ' ').trim()));
}

/** Joins the text of a row from right to left. Numbers and foreign words in it keep their order. */
function joinRightToLeft(segments: readonly Segment[], styles: Styles): string {
  const items = segments.flatMap((segment) =>
    segment.items.filter(({ str }) => str.trim() !== '').map((item) => locate(item, styles)),
  );
  items.sort((one, other) => other.to - one.to);
  const runs: Segment[][] = [];
  let run: Segment[] = []; // of words from left to right, the last one first
  for (const item of items) {
    if (isRightToLeft(item.items[0]?.str ?? '')) {
      runs.push(run.reverse(), [item]);
      run = [];
    } else run.push(item);
  }
  const ordered = [...runs, run.reverse()].flat();
  let text = '';
  let last: Segment | undefined;
  for (const item of ordered) {
    const gap = last ? Math.max(last.from - item.to, item.from - last.to) : 0;
    text += `${gap > cellGap * item.size ? ' | ' : gap > wordGap * item.size ? ' ' : ''}${item.items[0]?.str.trim() ?? ''}`;
    last = item;
  }
  return text;
}

function joinRow(row: readonly Line[], styles: Styles): string {
  const segments = row.flatMap((line) => line.segments);
  const text = segments.flatMap(({ items }) => items.map(({ str }) => str)).join('');
  if (isRightToLeft(text)) return joinRightToLeft(segments, styles);
  return joinLeftToRight(row.length > 1 ? segments.sort((one, other) => one.from - other.from) : segments);
}

/**
 * Returns the text of a page, one line per line or row of a table. Keeps the order of the file, which is that of the columns of a text,
 * except for cells of a row and for text from right to left.
 */
export function layOutLines(items: readonly TextItem[], styles: Styles): string {
  const lines = splitLines(items, styles);
  markProse(lines);
  return groupRows(lines)
    .map((row) => joinRow(row, styles))
    .join('\n');
}
