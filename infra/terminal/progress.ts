import { toPrintable } from '../../shared/domain/printable.ts';

/** Shows the current progress as one line of text. */
export type ShowProgress = (text: string) => void;

/** Returns a function that shows progress: at a terminal it overwrites the line, elsewhere it prints only changes. */
export function createProgressLine(): ShowProgress {
  let last = '';
  return (progress) => {
    const text = toPrintable(progress);
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
    else if (text !== last) process.stderr.write(`${text}\n`);
    last = text;
  };
}

/** Formats a share from 0 to 1 as a progress bar. */
export const formatBar = (share: number) =>
  `[${'#'.repeat(Math.round(share * 30)).padEnd(30, '.')}] ${Math.round(share * 100)} %`;
