import { zstdDecompressSync } from 'node:zlib';
import { DamagedIndex, reader, sumsOf } from './bytes.ts';
import { blockSize, signature } from './encode.ts';
import type { Passage } from './passages.ts';
import { type Terms, termsIn } from './terms.ts';

/** The passages that hold a term, by their numbers and in order, and how often each does. */
export interface Postings {
  passages: Uint32Array;
  counts: Uint32Array;
}

/** An opened knowledge base. Texts and postings stay packed until they are asked for. */
export interface Index {
  /** Memory that it takes: its object, unpacked too, and tables of where what is. */
  bytes: number;
  /** Words of each passage. */
  lengths: Uint32Array;
  /** Words of all passages. */
  words: number;
  terms: Terms;
  /** How many passages hold a term, which is known without its postings. */
  holders(term: number): number;
  /** Throws DamagedIndex. */
  postings(term: number): Postings;
  /** Throws DamagedIndex where its text is damaged, which opening does not find out. */
  passage(number: number): Passage;
}

/** What decompresses to more is no index of ours: a document has 10 MB of text. */
const longestIndex = 64 * 1024 * 1024;

function decompressed(bytes: Uint8Array, maxOutputLength: number): Buffer {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength });
  } catch (cause) {
    throw new DamagedIndex('It cannot be decompressed', { cause });
  }
}

function postingsIn(bytes: Uint8Array, count: number, total: number): Postings {
  // Each takes two bytes at least, so that no false count takes memory.
  if (2 * count > bytes.length) throw new DamagedIndex('A term has fewer passages than it says');
  const list = reader(bytes);
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

/** Opens what `encodeIndex` made. Throws DamagedIndex where it is damaged or of another version. */
export function openIndex(bytes: Uint8Array): Index {
  const object = reader(bytes);
  if (Buffer.compare(object.bytes(signature.length), signature) !== 0) {
    throw new DamagedIndex('It is no index, or one of another version');
  }
  const size = Buffer.from(object.bytes(4)).readUInt32LE();
  const unpacked = decompressed(object.bytes(size), longestIndex);
  const index = reader(unpacked);

  const [total, termCount, termBytes] = [index.number(), index.number(), index.number()];
  const lengths = index.numbers(total);
  const pages = index.numbers(total);
  const textLengths = index.numbers(total);
  const termCounts = index.numbers(termCount);
  const lists = sumsOf(index.numbers(termCount));
  const blocks = sumsOf(index.numbers(Math.ceil(total / blockSize)));
  const termNames = index.bytes(termBytes);
  const terms = termsIn(Buffer.from(termNames.buffer, termNames.byteOffset, termBytes), termCount);
  const listBytes = index.bytes(lists.at(-1) ?? 0);
  const blockBytes = object.bytes(blocks.at(-1) ?? 0);
  if (!index.atEnd() || !object.atEnd()) throw new DamagedIndex('There is more of it than it says');

  const arrays = [lengths, pages, textLengths, termCounts, lists, blocks];
  return {
    bytes: arrays.reduce((sum, { byteLength }) => sum + byteLength, bytes.length + unpacked.length + terms.bytes),
    lengths,
    words: lengths.reduce((sum, length) => sum + length, 0),
    terms,
    holders: (term) => termCounts[term] ?? 0,
    postings: (term) => postingsIn(listBytes.subarray(lists[term], lists[term + 1]), termCounts[term] ?? 0, total),
    passage(number) {
      const block = Math.floor(number / blockSize);
      const inBlock = sumsOf(textLengths.subarray(block * blockSize, (block + 1) * blockSize));
      const length = inBlock.at(-1) ?? 0;
      const texts = decompressed(blockBytes.subarray(blocks[block], blocks[block + 1]), Math.max(length, 1));
      if (texts.length !== length) throw new DamagedIndex('A text is not as long as it says');
      const i = number % blockSize;
      const page = pages[number] ?? 0;
      return { page: page === 0 ? null : page - 1, text: texts.toString('utf8', inBlock[i], inBlock[i + 1]) };
    },
  };
}
