import { constants, zstdCompressSync } from 'node:zlib';
import { pack } from './bytes.ts';
import type { Passage } from './passages.ts';
import { chooseRules, toTerms, type WordRules, wordRules } from './stems.ts';
import { encodeTerms } from './terms.ts';
import { splitWords } from './words.ts';

/** First bytes of every index, without the version. */
export const signature = Uint8Array.of(0x50, 0x53, 0x47);

/** Version of new indexes: increase it when words or the layout change. `openIndex` also reads version 1. */
export const version = 2;

/** Number of passages per compressed block. Reading a passage decompresses one block only. */
export const blockSize = 32;

/** Limit of the different terms of a document. 10 MB of Chinese have 600,000. More would take far more memory than their text. */
export const maxTerms = 1_000_000;

/** Limit of all its terms, in bytes. A million words of ordinary text have less than 30 MB; Vietnamese terms repeat their accents. */
const maxTermsBytes = 40_000_000;

/** Limit of the passages of a document. 10 MB of text have about 15,000. */
export const maxPassages = 200_000;

/** Limit of a decompressed index, in bytes. Most have less than their text, but a word can have terms that are longer than itself. */
export const maxIndexBytes = 64 * 1024 * 1024;

/** Thrown if an index would be larger than `openIndex` accepts. */
export class IndexTooLarge extends Error {}

/** Passages between two reports of progress. */
const progressSize = 1_000;

export interface EncodeOptions {
  /** Called several times, so that a large document does not seem to stall. */
  onProgress?: () => void;
  /** Called if the document has too many different terms: those that come last cannot be found. */
  onTermsOmitted?: () => void;
}

const compress = (bytes: Uint8Array) =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: 9 } });

interface Term {
  /** Its UTF-8 bytes as a string of Latin-1, which takes a fifth of the memory of a buffer, and sorts like it. */
  bytes: string;
  /** Number of passages that contain it. */
  count: number;
  /** Per passage: the distance to the previous one, which is small for frequent terms, and the number of occurrences. */
  postings: number[];
}

/** Number of passages that tell the language of a document. */
const sampleSize = 200;

/** Returns the rules for the words of a document, by passages from all of it. */
function chooseDocumentRules(passages: readonly Passage[]): WordRules {
  const step = Math.ceil(passages.length / sampleSize);
  return chooseRules(passages.filter((_, i) => i % step === 0).flatMap(({ text }) => splitWords(text)));
}

/** Counts the words of each passage and the occurrences of the first million terms or 40 MB of them, sorted by bytes. */
function countTerms(
  passages: readonly Passage[],
  rules: WordRules,
  { onProgress = () => {}, onTermsOmitted = () => {} }: EncodeOptions,
): { lengths: number[]; terms: Term[] } {
  const lengths: number[] = [];
  const terms = new Map<string, Term & { last: number }>();
  const termsByWord = new Map<string, string[]>();
  let omitsTerms = false;
  let termsBytes = 0;
  for (const [number, { text }] of passages.entries()) {
    if (number % progressSize === 0) onProgress();
    const words = splitWords(text, rules);
    const counts = new Map<string, number>();
    for (const word of words) {
      const names = termsByWord.get(word) ?? toTerms(word, rules);
      if (termsByWord.size < maxTerms) termsByWord.set(word, names);
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const [name, count] of counts) {
      let term = terms.get(name);
      if (!term) {
        const bytes = Buffer.from(name).toString('latin1');
        omitsTerms ||= terms.size === maxTerms || termsBytes + bytes.length > maxTermsBytes;
        if (omitsTerms) continue;
        termsBytes += bytes.length;
        term = { bytes, count: 0, postings: [], last: 0 };
        terms.set(name, term);
      }
      term.postings.push(number - term.last, count);
      term.count++;
      term.last = number;
    }
    lengths.push(words.length);
  }
  if (omitsTerms) onTermsOmitted();
  return {
    lengths,
    terms: [...terms.values()].sort((one, other) => (one.bytes < other.bytes ? -1 : 1)),
  };
}

/**
 * Encodes passages and their index as one object for `openIndex`. The same passages always give the same bytes. Throws IndexTooLarge.
 *
 * Layout: signature · version · size of the index (4 bytes) · index (zstd) · blocks of texts (zstd each). The index consists of packed
 * numbers: the rules for words; the number of passages, the number of terms and the size of all terms; per passage its number of words, its page + 1 (0 for none)
 * and the size of its text; per term its number of passages and the size of its postings; the size of each block. Then all terms, then
 * all postings. Sizes are in bytes.
 */
export function encodeIndex(passages: readonly Passage[], options: EncodeOptions = {}): Uint8Array {
  const rules = chooseDocumentRules(passages);
  const { lengths, terms } = countTerms(passages, rules, options);
  options.onProgress?.();
  const names = encodeTerms(terms.map(({ bytes }) => bytes));
  const lists: Uint8Array[] = [];
  const listSizes: number[] = [];
  for (let i = 0; i < terms.length; i += progressSize) {
    const packed = terms.slice(i, i + progressSize).map(({ postings }) => pack(postings));
    for (const { length } of packed) listSizes.push(length);
    lists.push(Buffer.concat(packed));
  }
  const texts = passages.map(({ text }) => Buffer.from(text));
  const blocks: Uint8Array[] = [];
  for (let i = 0; i < texts.length; i += blockSize) {
    blocks.push(compress(Buffer.concat(texts.slice(i, i + blockSize))));
    if (i % progressSize < blockSize) options.onProgress?.();
  }
  const parts = [
    pack([wordRules.indexOf(rules), passages.length, terms.length, names.length]),
    pack(lengths),
    pack(passages.map(({ page }) => (page === null ? 0 : page + 1))),
    pack(texts.map(({ length }) => length)),
    pack(terms.map(({ count }) => count)),
    pack(listSizes),
    pack(blocks.map(({ length }) => length)),
    names,
    ...lists,
  ];
  if (passages.length > maxPassages || parts.reduce((sum, { length }) => sum + length, 0) > maxIndexBytes) {
    throw new IndexTooLarge('The index is larger than openIndex accepts');
  }
  const index = compress(Buffer.concat(parts));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(index.length);
  return Buffer.concat([signature, Uint8Array.of(version), size, index, ...blocks]);
}
