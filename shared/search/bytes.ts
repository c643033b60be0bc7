/** Thrown if an object is not an index, has an unknown version, or was changed after it was written. */
export class DamagedIndex extends Error {
  override name = 'DamagedIndex';
}

/** Returns the number of bytes of packed integers. */
const getPackedSize = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + Math.max(1, Math.ceil((32 - Math.clz32(number)) / 7)), 0);

/** Encodes 32-bit integers as varints: seven bits per byte, the last one without the high bit. Small numbers take fewer bytes. */
export function pack(numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(getPackedSize(numbers));
  let at = 0;
  for (const number of numbers) {
    let rest = number;
    for (; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
    bytes[at++] = rest;
  }
  return bytes;
}

/** Sequential reader of packed numbers and bytes. Throws DamagedIndex when it reads beyond the end. */
export interface Reader {
  number(): number;
  numbers(count: number): Uint32Array;
  bytes(length: number): Uint8Array;
  atEnd(): boolean;
}

export function createReader(source: Uint8Array): Reader {
  let at = 0;
  const number = () => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = source[at++];
      if (byte === undefined) break;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new DamagedIndex('A number is incomplete');
  };
  const checkRemaining = (length: number) => {
    if (length > source.length - at) throw new DamagedIndex('The index is cut short');
  };
  return {
    number,
    numbers(count) {
      checkRemaining(count); // each takes at least one byte, so a false count cannot allocate much memory
      const values = new Uint32Array(count);
      for (let i = 0; i < count; i++) values[i] = number();
      return values;
    },
    bytes(length) {
      checkRemaining(length);
      at += length;
      return source.subarray(at - length, at);
    },
    atEnd: () => at === source.length,
  };
}

/**
 * Returns the start offset of each length, and the total at the end. Throws DamagedIndex if it exceeds 32 bits. A plain loop, because
 * `entries()` is ten times slower.
 */
export function toOffsets(lengths: Uint32Array): Uint32Array {
  const sums = new Uint32Array(lengths.length + 1);
  let sum = 0;
  for (let i = 0; i < lengths.length; i++) {
    sum += lengths[i] ?? 0;
    sums[i + 1] = sum;
  }
  if (sum > 0xffffffff) throw new DamagedIndex('The index declares more bytes than an object has');
  return sums;
}
