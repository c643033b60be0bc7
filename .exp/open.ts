import { zstdDecompressSync } from 'node:zlib';
import { DamagedIndex, type Reader, reader } from './bytes.ts';
import { blockSize, signature } from './encode.ts';
import type { Passage } from './passages.ts';

/** An opened knowledge base. Texts and postings stay packed until they are asked for. */
export interface Index {
  /** Words of each passage. */
  lengths: Uint32Array;
  /** A bit for each language that a passage is in, by its number. */
  spoken: number;
  /** Numbers of the passages that hold a term, in order, and how often each does. Throws DamagedIndex. */
  postings(term: string): { passages: Uint32Array; counts: Uint32Array } | undefined;
  /** All terms that begin with the given bytes. */
  termsFrom(start: string): string[];
  /** Throws DamagedIndex where its text is damaged. */
  passage(number: number): Passage;
}

/** An index that decompresses to more is none of ours: a document has 10 MB of text. */
const mostBytes = 128 * 1024 * 1024;

function decompressed(bytes: Uint8Array, maxOutputLength: number): Buffer {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength });
  } catch (cause) {
    throw new DamagedIndex('It cannot be decompressed', { cause });
  }
}

/** Sums of all before each, and the sum of all at the end. */
function starts(lengths: Uint32Array): Uint32Array {
  const sums = new Uint32Array(lengths.length + 1);
  for (const [i, length] of lengths.entries()) sums[i + 1] = (sums[i] ?? 0) + length;
  return sums;
}

/** Parts of bytes that follow one another. */
function parts(lengths: Uint32Array, bytesOf: (total: number) => Uint8Array) {
  const from = starts(lengths);
  const bytes = Buffer.from(bytesOf(from.at(-1) ?? 0));
  return (i: number) => bytes.subarray(from[i], from[i + 1]);
}

function postingsOf(list: Reader, count: number, total: number) {
  const passages = new Uint32Array(count);
  const counts = new Uint32Array(count);
  let passage = 0;
  for (let i = 0; i < count; i++) {
    passage += list.number();
    if (passage >= total) throw new DamagedIndex('A term is in a passage that is not there');
    passages[i] = passage;
    counts[i] = list.number();
  }
  return { passages, counts };
}

/** Opens what `encodeIndex` made. Throws DamagedIndex. */
export function openIndex(bytes: Uint8Array): Index {
  const object = reader(bytes);
  if (!Buffer.from(object.bytes(signature.length)).equals(signature)) throw new DamagedIndex('It is of another version');
  const indexLength = Buffer.from(object.bytes(4)).readUInt32LE();
  const index = reader(decompressed(object.bytes(indexLength), mostBytes));

  const [total, termCount, spoken] = [index.number(), index.number(), index.number()];
  const lengths = index.numbers(total);
  const pages = index.numbers(total);
  const textLengths = index.numbers(total);
  const termLengths = index.numbers(termCount);
  const counts = index.numbers(termCount);
  const listLengths = index.numbers(termCount);
  const blockLengths = index.numbers(Math.ceil(total / blockSize));
  const term = parts(termLengths, index.bytes);
  const list = parts(listLengths, index.bytes);
  const block = parts(blockLengths, object.bytes);
  if (!index.atEnd() || !object.atEnd()) throw new DamagedIndex('There is more than it says');

  /** The number of the first term that does not sort before the given bytes. */
  function firstFrom(wanted: Buffer): number {
    let [low, high] = [0, termCount];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Buffer.compare(term(middle), wanted) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    lengths,
    spoken,
    postings(wanted) {
      const key = Buffer.from(wanted);
      const i = firstFrom(key);
      if (i === termCount || !term(i).equals(key)) return undefined;
      return postingsOf(reader(list(i)), counts[i] ?? 0, total);
    },
    termsFrom(start) {
      const found: string[] = [];
      for (let i = firstFrom(Buffer.from(start)); i < termCount; i++) {
        const text = term(i).toString();
        if (!text.startsWith(start)) break;
        found.push(text);
      }
      return found;
    },
    passage(number) {
      const first = number - (number % blockSize);
      const inBlock = starts(textLengths.subarray(first, first + blockSize));
      const size = inBlock.at(-1) ?? 0;
      const texts = decompressed(block(first / blockSize), Math.max(size, 1));
      if (texts.length !== size) throw new DamagedIndex('Its texts are not those that it says');
      const text = texts.toString('utf8', inBlock[number - first], inBlock[number - first + 1]);
      const page = pages[number] ?? 0;
      return { page: page === 0 ? null : page - 1, text };
    },
  };
}
