import { obeyed, toPrintable } from '../../shared/domain/printable.ts';

/** Returns a text of one line as it is safe to print. */
export const toLine = (text: string): string => toPrintable(text.replace(/\s+/g, ' ').trim());

/** Prints what the user asked for. */
export const print = (text: string): void => void process.stdout.write(`${toPrintable(text)}\n`);

/** Returns a value as JSON in one line that is safe to print: control characters are written as `\u202e`, as JSON has it. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    obeyed,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`, // all are below U+10000
  );

/** Prints a part of a line. */
export const printPiece = (text: string): void => void process.stdout.write(toPrintable(text));

/** Prints a note about the work, which is no part of the output. */
export const note = (text: string): void => void process.stderr.write(`${toPrintable(text)}\n`);

/** Returns a number with its noun: `1 assistant`, `2 assistants`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Returns the end of a sum that counts conflicts. Empty if there are none. */
export const formatConflicts = (number: number): string => (number === 0 ? '' : `, ${count(number, 'conflict')}`);

/** Prints rows in columns that align. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const lines = rows.map((row) => row.map(toLine));
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of lines)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
