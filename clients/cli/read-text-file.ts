import { readFileSync, statSync } from 'node:fs';

/**
 * Reads the text of a file of at most `maxBytes`, without the byte order mark of some editors. Throws Error if it is larger, or no file, as
 * a link to a device.
 */
export function readTextFile(path: string, maxBytes: number): string {
  const found = statSync(path);
  if (!found.isFile()) throw new Error('it is no file');
  if (found.size > maxBytes) throw new Error(`it has more than ${maxBytes / 1_000_000} MB`);
  return readFileSync(path, 'utf8').replace(/^\ufeff/, '');
}
