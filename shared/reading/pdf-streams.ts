import { inflateSync } from 'node:zlib';
import { limits } from './limits.ts';
import { Unreadable } from './unreadable.ts';

/** Returns true if bytes start with a zlib header (RFC 1950): first 0x78, and the first two bytes divisible by 31. */
const looksDeflated = (bytes: Uint8Array) => bytes[0] === 0x78 && ((bytes[0] << 8) | (bytes[1] ?? 0)) % 31 === 0;

/** Limit of nested compression layers. Real files have at most two. */
const maxLayers = 3;

function inflate(packed: Uint8Array): Uint8Array {
  try {
    return inflateSync(packed, { maxOutputLength: limits.streamBytes });
  } catch (error) {
    if (error instanceof RangeError) {
      throw new Unreadable('too_large', 'The file is too large when unpacked: split it, then upload its parts', {
        cause: error,
      });
    }
    return new Uint8Array(); // damaged or not compressed: pdf.js will decide
  }
}

/**
 * Throws Unreadable if a stream of a PDF unpacks to more than fits in memory: pdf.js would unpack it without a limit. Checks deflated
 * streams, but not those that are encrypted or also encoded as hex or ASCII85.
 */
export function checkStreams(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const keyword = 'stream';
  for (let at = file.indexOf(keyword); at >= 0; at = file.indexOf(keyword, at + keyword.length)) {
    let start = at + keyword.length;
    while (file[start] === 0x0d || file[start] === 0x0a) start++;
    let packed: Uint8Array = file.subarray(start);
    for (let layer = 0; looksDeflated(packed); layer++) {
      if (layer === maxLayers) throw new Unreadable('damaged');
      packed = inflate(packed);
    }
  }
}
