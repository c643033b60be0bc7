import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Reads at most `maxBytes` of an open file. */
function readBytes(file: number, maxBytes: number): Buffer {
  const chunks: Buffer[] = [];
  let left = maxBytes;
  while (left > 0) {
    const chunk = Buffer.alloc(Math.min(left, 65_536));
    const size = readSync(file, chunk);
    if (size === 0) break;
    chunks.push(chunk.subarray(0, size));
    left -= size;
  }
  return Buffer.concat(chunks);
}

/**
 * Reads the text of a file of at most `maxBytes`, without the byte order mark of some editors. Throws Error if it is larger, or no file, as
 * a link to a device. The system's own files say that they are empty, so it does not believe sizes.
 */
export function readTextFile(path: string, maxBytes: number): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK); // does not wait for the writer of a pipe
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is no file');
    const bytes = readBytes(file, maxBytes + 1);
    if (bytes.length > maxBytes) throw new Error(`it has more than ${maxBytes / 1_000_000} MB`);
    return bytes.toString().replace(/^\ufeff/, '');
  } finally {
    closeSync(file);
  }
}
