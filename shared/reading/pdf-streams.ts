import { inflateSync } from 'node:zlib';
import { limits } from './bounds.ts';
import { Unreadable } from './unreadable.ts';

/** RFC 1950: what deflate is wrapped in begins with 0x78 here, and the first two bytes divide by 31. */
const looksPacked = (bytes: Uint8Array) => bytes[0] === 0x78 && ((bytes[0] << 8) | (bytes[1] ?? 0)) % 31 === 0;

/** Packed once, and once more: real files have two layers at most. */
const layers = 3;

function unpack(packed: Uint8Array): Uint8Array {
  try {
    return inflateSync(packed, { maxOutputLength: limits.stream });
  } catch (error) {
    if (error instanceof RangeError) {
      throw new Unreadable(
        'too_large',
        'The file is larger than it may be when unpacked: split it, then upload its parts',
        {
          cause: error,
        },
      );
    }
    return new Uint8Array(); // damaged, or not packed at all: pdf.js will say
  }
}

/**
 * Throws Unreadable where a stream of a PDF unpacks to more than fits in memory, which pdf.js would unpack all the same.
 * It sees what deflate packed, not what is encrypted, nor what is written in digits or letters besides.
 */
export function checkStreams(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const keyword = 'stream';
  for (let at = file.indexOf(keyword); at >= 0; at = file.indexOf(keyword, at + keyword.length)) {
    let start = at + keyword.length;
    while (file[start] === 0x0d || file[start] === 0x0a) start++;
    let packed: Uint8Array = file.subarray(start);
    for (let layer = 0; looksPacked(packed); layer++) {
      if (layer === layers) throw new Unreadable('damaged');
      packed = unpack(packed);
    }
  }
}
