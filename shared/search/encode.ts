import { constants, zstdCompressSync } from 'node:zlib';
import { packed } from './bytes.ts';
import type { Passage } from './passages.ts';
import { storedTerms } from './terms.ts';
import { termOf, wordsOf } from './words.ts';

/** What every object begins with; the last byte is the version. Raise it when words, terms or the layout change. */
export const signature = Uint8Array.of(0x50, 0x53, 0x47, 1);

/** Passages whose texts are compressed together: one is read without the rest of the document. */
export const blockSize = 32;

/** Most terms of a document. 10 MB of text like Chinese have 600,000; more take far more memory than their text. */
const mostTerms = 1_000_000;

/** Thrown where a document has more different terms than are indexed. */
export class TooManyTerms extends Error {
  override name = 'TooManyTerms';
}

const compressed = (bytes: Uint8Array) =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: 9 } });

interface Term {
  bytes: Buffer;
  /** How many passages hold it. */
  count: number;
  /** Of each of them the distance from the one before, which is small where a term is frequent, and how often. */
  postings: number[];
}

/** How many words each passage has, and all their terms, sorted by their bytes. Throws TooManyTerms. */
function countedIn(passages: readonly Passage[]): { lengths: number[]; terms: Term[] } {
  const lengths: number[] = [];
  const terms = new Map<string, Term & { last: number }>();
  const termsByWord = new Map<string, string>();
  for (const [number, { text }] of passages.entries()) {
    const words = wordsOf(text);
    const counts = new Map<string, number>();
    for (const word of words) {
      const name = termsByWord.get(word) ?? termOf(word);
      termsByWord.set(word, name);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const [name, count] of counts) {
      const term = terms.get(name) ?? { bytes: Buffer.from(name), count: 0, postings: [], last: 0 };
      terms.set(name, term);
      term.postings.push(number - term.last, count);
      term.count++;
      term.last = number;
    }
    lengths.push(words.length);
    if (terms.size > mostTerms) throw new TooManyTerms();
  }
  return {
    lengths,
    terms: [...terms.values()].sort((one, other) => Buffer.compare(one.bytes, other.bytes)),
  };
}

/**
 * Passages and their index as one object, to be opened by `openIndex`. The same passages give the same bytes. Throws
 * TooManyTerms.
 *
 * signature · bytes of the index, 4 · the index, zstd · blocks of texts, zstd each. The index is made of packed numbers:
 * passages, terms, bytes of all terms; of each passage its words, its page + 1 (0 is none), the bytes of its text; of each
 * term its passages and the bytes of its postings; of each block its bytes. Then come all terms, then all postings.
 */
export function encodeIndex(passages: readonly Passage[]): Uint8Array {
  const { lengths, terms } = countedIn(passages);
  const names = storedTerms(terms.map(({ bytes }) => bytes));
  const lists = terms.map(({ postings }) => packed(postings));
  const texts = passages.map(({ text }) => Buffer.from(text));
  const blocks: Uint8Array[] = [];
  for (let i = 0; i < texts.length; i += blockSize) {
    blocks.push(compressed(Buffer.concat(texts.slice(i, i + blockSize))));
  }
  const index = compressed(
    Buffer.concat([
      packed([passages.length, terms.length, names.length]),
      packed(lengths),
      packed(passages.map(({ page }) => (page === null ? 0 : page + 1))),
      packed(texts.map(({ length }) => length)),
      packed(terms.map(({ count }) => count)),
      packed(lists.map(({ length }) => length)),
      packed(blocks.map(({ length }) => length)),
      names,
      ...lists,
    ]),
  );
  const size = Buffer.alloc(4);
  size.writeUInt32LE(index.length);
  return Buffer.concat([signature, size, index, ...blocks]);
}
