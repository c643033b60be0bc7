/** An object that is no index, is of a version that this program does not know, or has changed since it was written. */
export class DamagedIndex extends Error {
  override name = 'DamagedIndex';
}

/** Whole numbers of up to 32 bits, small ones in fewer bytes: seven bits each, the last without the high bit. */
export function packed(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const number of numbers) {
    let rest = number;
    for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

/** Reads packed numbers and runs of bytes, in order. Each read throws DamagedIndex where the bytes end too early. */
export interface Reader {
  number(): number;
  numbers(count: number): Uint32Array;
  bytes(length: number): Uint8Array;
  atEnd(): boolean;
}

export function reader(source: Uint8Array): Reader {
  let at = 0;
  const number = () => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = source[at++];
      if (byte === undefined) break;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new DamagedIndex('A number has no end');
  };
  const demand = (length: number) => {
    if (length > source.length - at) throw new DamagedIndex('It ends too early');
  };
  return {
    number,
    numbers(count) {
      demand(count); // each takes a byte at least, so that no false count takes memory
      return Uint32Array.from({ length: count }, number);
    },
    bytes(length) {
      demand(length);
      at += length;
      return source.subarray(at - length, at);
    },
    atEnd: () => at === source.length,
  };
}
