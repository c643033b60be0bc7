import { constants, zstdCompressSync } from 'node:zlib';
import { packed } from './bytes.ts';
import { languageOf } from './languages.ts';
import type { Passage } from './passages.ts';
import { termOf, wordsOf } from './words.ts';

/** What every object begins with; the last byte is the version. Raise it when words, stems or the layout change. */
export const signature = Uint8Array.of(0x50, 0x53, 0x47, 1);

/** Passages whose texts are compressed together: one is read without the rest of the document. */
export const blockSize = 32;

const compressed = (bytes: Uint8Array) =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: 9 } });

/** How often each word comes in each passage: a term leads to passages and frequencies in turn. */
function termsOf(passages: readonly Passage[]) {
  const postings = new Map<string, number[]>();
  const lengths: number[] = [];
  const stems = new Map<string, string>();
  let spoken = 0;
  for (const [number, { text }] of passages.entries()) {
    const words = wordsOf(text);
    const language = languageOf(words);
    const counts = new Map<string, number>();
    for (const word of words) {
      const key = `${language}${word}`;
      let term = stems.get(key);
      if (term === undefined) stems.set(key, (term = termOf(word, language)));
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    for (const [term, count] of counts) {
      const list = postings.get(term);
      if (list) list.push(number, count);
      else postings.set(term, [number, count]);
    }
    lengths.push(words.length);
    if (words.length > 0) spoken |= 1 << language;
  }
  return { postings, lengths, spoken };
}

/** Numbers of passages as distances from the one before, which are small where a term is frequent. */
function distances(list: readonly number[]): number[] {
  return list.map((value, i) => (i % 2 === 1 ? value : value - (list[i - 2] ?? 0)));
}

/**
 * Passages and their index as one object, to be opened by `openIndex`. The same passages give the same bytes.
 *
 * signature · length of the index, 4 bytes · the index, zstd · blocks of texts, zstd each. The index: counts; of each
 * passage words, page + 1 (0 is none) and bytes of text; of each term bytes, passages and bytes of postings; of each
 * block bytes; all terms, sorted by their bytes; all postings, a distance and a frequency each.
 */
export function encodeIndex(passages: readonly Passage[]): Uint8Array {
  const { postings, lengths, spoken } = termsOf(passages);
  const terms = [...postings]
    .map(([term, list]) => ({ term: Buffer.from(term), count: list.length / 2, list: packed(distances(list)) }))
    .sort((one, other) => Buffer.compare(one.term, other.term));
  const texts = passages.map(({ text }) => Buffer.from(text));
  const blocks: Uint8Array[] = [];
  for (let i = 0; i < texts.length; i += blockSize) blocks.push(compressed(Buffer.concat(texts.slice(i, i + blockSize))));
  const index = compressed(
    Buffer.concat([
      packed([passages.length, terms.length, spoken]),
      packed(lengths),
      packed(passages.map(({ page }) => (page === null ? 0 : page + 1))),
      packed(texts.map(({ length }) => length)),
      packed(terms.map(({ term }) => term.length)),
      packed(terms.map(({ count }) => count)),
      packed(terms.map(({ list }) => list.length)),
      packed(blocks.map(({ length }) => length)),
      ...terms.map(({ term }) => term),
      ...terms.map(({ list }) => list),
    ]),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(index.length);
  return Buffer.concat([signature, length, index, ...blocks]);
}
