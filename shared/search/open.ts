import { zstdDecompressSync } from 'node:zlib';
import { createReader, DamagedIndex, toOffsets } from './bytes.ts';
import { blockSize, maxIndexBytes, maxPassages, maxTerms, signature, version } from './encode.ts';
import { type Passage, sizes } from './passages.ts';
import { type WordRules, wordRules } from './stems.ts';
import { decodeTerms, type Terms } from './terms.ts';

/** Numbers of the passages that contain a term, in order, and the occurrences in each. */
export interface Postings {
  passages: Uint32Array;
  counts: Uint32Array;
}

/** Opened index of a document. Texts and postings stay compressed until they are read. */
export interface Index {
  /** Memory that it takes in a search: the object, its decompressed index, tables and scores, and 10 KB for its parts. */
  memoryBytes: number;
  /** How its words became terms. */
  rules: WordRules;
  /** Number of words in each passage. */
  lengths: Uint32Array;
  /** Number of words in all passages. */
  words: number;
  terms: Terms;
  /** Returns the number of passages that contain a term, without reading its postings. */
  countPassages(term: number): number;
  /** Reads the postings of a term. Throws DamagedIndex. */
  postings(term: number): Postings;
  /** Reads a passage. Throws DamagedIndex if its text is damaged, which opening the index does not detect. */
  passage(number: number): Passage;
}

/** Memory of an opened index without words, in bytes: objects, functions, and what the allocator wastes on small arrays. */
const smallestBytes = 10_000;

/** Memory of a passage in a search: its score and its length's weight, in bytes. */
const passageBytes = 16;

/** Limit of the text of a passage in bytes: three for each UTF-16 unit. Passages of earlier releases had up to 100 units more. */
const maxTextBytes = 3 * (sizes.max + 100);

function decompress(bytes: Uint8Array, maxOutputLength: number): Buffer {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength });
  } catch (cause) {
    throw new DamagedIndex('The index cannot be decompressed', { cause });
  }
}

/** Returns bytes without the rest of their memory: zlib gives small results as parts of 64 KB. */
const compact = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength < bytes.buffer.byteLength ? new Uint8Array(bytes) : bytes;

function parsePostings(bytes: Uint8Array, count: number, total: number): Postings {
  // Each takes at least two bytes, so a false count cannot allocate much memory.
  if (2 * count > bytes.length) throw new DamagedIndex('A term has fewer passages than declared');
  const passages = new Uint32Array(count);
  const counts = new Uint32Array(count);
  let at = 0;
  let passage = 0;
  // Decodes the numbers itself: a reader takes twice as long, and a search reads millions.
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++] ?? 0;
    let distance = byte & 0x7f;
    for (let shift = 7; byte > 0x7f && shift < 35; shift += 7) {
      byte = bytes[at++] ?? 0;
      distance |= (byte & 0x7f) << shift;
    }
    passage += distance >>> 0;
    if (passage >= total) throw new DamagedIndex('A term refers to a missing passage');
    passages[i] = passage;
    byte = bytes[at++] ?? 0;
    let times = byte & 0x7f;
    for (let shift = 7; byte > 0x7f && shift < 35; shift += 7) {
      byte = bytes[at++] ?? 0;
      times |= (byte & 0x7f) << shift;
    }
    counts[i] = times;
  }
  if (at > bytes.length) throw new DamagedIndex('The postings of a term are cut short');
  return { passages, counts };
}

/**
 * Opens an index from `encodeIndex`, of this version or version 1. Throws DamagedIndex if it is damaged or has another version. Checks all
 * that it declares, since a parser that was broken into could have written it: neither opening nor searching it takes more time or
 * memory than the largest document.
 */
export function openIndex(bytes: Uint8Array): Index {
  const object = createReader(bytes);
  const hasSignature = Buffer.compare(object.bytes(signature.length), signature) === 0;
  const written = object.number();
  if (!hasSignature || written < 1 || written > version) {
    throw new DamagedIndex('The object is not an index, or has another version');
  }
  const size = Buffer.from(object.bytes(4)).readUInt32LE();
  const unpacked = compact(decompress(object.bytes(size), maxIndexBytes));
  const index = createReader(unpacked);

  const rules = wordRules[written === 1 ? 0 : index.number()];
  if (!rules) throw new DamagedIndex('The index has unknown rules for words');
  const [total, termCount, termBytes] = [index.number(), index.number(), index.number()];
  if (total > maxPassages || termCount > maxTerms) throw new DamagedIndex('The index is larger than any document');
  const lengths = index.numbers(total);
  const pages = index.numbers(total);
  const textLengths = index.numbers(total);
  const termCounts = index.numbers(termCount);
  const lists = toOffsets(index.numbers(termCount));
  const blocks = toOffsets(index.numbers(Math.ceil(total / blockSize)));
  const termNames = index.bytes(termBytes);
  const terms = decodeTerms(Buffer.from(termNames.buffer, termNames.byteOffset, termBytes), termCount);
  const listBytes = index.bytes(lists.at(-1) ?? 0);
  const blockBytes = object.bytes(blocks.at(-1) ?? 0);
  if (!index.atEnd() || !object.atEnd()) throw new DamagedIndex('The index is longer than declared');

  const words = lengths.reduce((sum, length) => sum + length, 0);
  if (textLengths.some((length) => length > maxTextBytes)) throw new DamagedIndex('A text is longer than any passage');
  if (termCounts.some((count) => count > total)) throw new DamagedIndex('A term has more passages than there are');
  if (termCount > 0 && words === 0) throw new DamagedIndex('The index has terms, but no words');

  const arrays = [lengths, pages, textLengths, termCounts, lists, blocks];
  return {
    memoryBytes: arrays.reduce(
      (sum, { byteLength }) => sum + byteLength,
      smallestBytes + passageBytes * total + bytes.length + unpacked.length + terms.memoryBytes,
    ),
    rules,
    lengths,
    words,
    terms,
    countPassages: (term) => termCounts[term] ?? 0,
    postings: (term) => parsePostings(listBytes.subarray(lists[term], lists[term + 1]), termCounts[term] ?? 0, total),
    passage(number) {
      const block = Math.floor(number / blockSize);
      const inBlock = toOffsets(textLengths.subarray(block * blockSize, (block + 1) * blockSize));
      const length = inBlock.at(-1) ?? 0;
      const texts = decompress(blockBytes.subarray(blocks[block], blocks[block + 1]), Math.max(length, 1));
      if (texts.length !== length) throw new DamagedIndex('A text has another length than declared');
      const i = number % blockSize;
      const page = pages[number] ?? 0;
      return { page: page === 0 ? null : page - 1, text: texts.toString('utf8', inBlock[i], inBlock[i + 1]) };
    },
  };
}
