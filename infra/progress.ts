/** Tells how far something is. */
export type Say = (text: string) => void;

/** Overwrites the line at a terminal; elsewhere says only what is new. */
export function progress(): Say {
  let last = '';
  return (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
    else if (text !== last) process.stderr.write(`${text}\n`);
    last = text;
  };
}

/** A share from 0 to 1, drawn. */
export const bar = (share: number) =>
  `[${'#'.repeat(Math.round(share * 30)).padEnd(30, '.')}] ${Math.round(share * 100)} %`;
