import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexDocument } from '../../../shared/domain/index-document.ts';
import { DamagedIndex, pack } from '../../../shared/search/bytes.ts';
import { encodeIndex, signature, version } from '../../../shared/search/encode.ts';
import { openIndex } from '../../../shared/search/open.ts';
import type { Passage } from '../../../shared/search/passages.ts';
import { search } from '../../../shared/search/search.ts';
import { toTerm } from '../../../shared/search/stems.ts';
import { splitWords } from '../../../shared/search/words.ts';
import { getSampleSize } from '../../support/sample.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }).map((any) => any.toWellFormed()),
  fc
    .array(fc.constantFrom('moon', 'mill', 'marsh', 'Häuser', '几点开门', 'الكتاب', 'x'.repeat(60), '12,345'))
    .map((words) => words.join(' ')),
);
const passage: fc.Arbitrary<Passage> = fc.record({ page: fc.option(fc.integer({ min: 0, max: 100_000 })), text });
const passages = fc.array(passage, { maxLength: 100 });

const sample: Passage[] = Array.from({ length: 80 }, (_, i) => ({
  page: i,
  text: `The moon of night ${i} shone on the marsh; the miller of house ${i * 7} slept.`,
}));

describe('an index', () => {
  test('returns every passage, and for every term the passages with it', () => {
    fc.assert(
      fc.property(passages, (given) => {
        const index = openIndex(encodeIndex(given));
        expect(given.map((_, i) => index.passage(i))).toEqual(given);
        const termsOfPassages = given.map((one) => splitWords(one.text).map((word) => toTerm(word)));
        expect([...index.lengths]).toEqual(termsOfPassages.map((terms) => terms.length));
        expect(index.words).toBe(termsOfPassages.flat().length);
        for (const term of new Set(termsOfPassages.flat())) {
          const counts = termsOfPassages.map((terms) => terms.filter((one) => one === term).length);
          const holders = [...counts.keys()].filter((i) => counts[i]);
          const number = index.terms.find(term) ?? -1;
          const postings = index.postings(number);
          expect(index.countPassages(number)).toBe(holders.length);
          expect([...postings.passages]).toEqual(holders);
          expect([...postings.counts]).toEqual(holders.map((i) => counts[i]));
        }
      }),
    );
  });

  test('finds terms by prefix and suffix', () => {
    const { terms } = openIndex(encodeIndex([{ page: 1, text: 'Kaution Mietkaution Mieter Automiete 几点' }]));
    const all = terms.getNames({ from: 0, to: terms.count });
    const findByPrefix = (text: string) => terms.getNames(terms.findByPrefix(text));
    const findBySuffix = (text: string, limit = 9) =>
      terms.findBySuffix(text, limit, { steps: Infinity }).map((i) => all[i]);
    expect(all).toEqual(['automiet', 'kaution', 'mieter', 'mietkaution', '几点']);
    expect(findByPrefix('m')).toEqual(['mieter', 'mietkaution']);
    expect(findByPrefix('')).toEqual(all);
    expect(findByPrefix('z')).toEqual([]);
    expect(findByPrefix('k')).toEqual(['kaution']);
    expect(findBySuffix('kaution')).toEqual(['kaution', 'mietkaution']);
    expect(findBySuffix('kaution', 1)).toEqual(['kaution']);
    expect(findBySuffix('miet')).toEqual(['automiet']);
    expect(findBySuffix('点')).toEqual(['几点']);
    expect([...findByPrefix('tkau'), ...findBySuffix('tkau')]).toEqual([]);
    expect(terms.find('miet')).toBeUndefined();
  });

  test('is deterministic', () => {
    expect(encodeIndex(sample)).toEqual(encodeIndex(structuredClone(sample)));
  });

  test('is smaller than its text', () => {
    expect(encodeIndex(sample).length).toBeLessThan(sample.map((one) => one.text).join('').length / 2);
  });

  test('reports the memory of its terms, which is many times the size of the file', () => {
    const words = Array.from({ length: 100_000 }, (_, i) => `abcdefgh${i}`);
    const object = encodeIndex([{ page: null, text: words.join(' ') }]);
    const stored = words.join(' ').length + 2 * words.length; // per term, a byte for its passages and one for their number
    expect(openIndex(object).memoryBytes).toBeGreaterThan(object.length + stored + 12 * words.length);
    expect(openIndex(object).memoryBytes).toBeGreaterThan(10 * object.length);
  });

  test('has at most a million terms, or the document is too complex', async () => {
    const characters = Array.from({ length: 1_001 }, (_, i) => String.fromCodePoint(0x4e00 + i));
    const pairs = characters.flatMap((one) => characters.map((other) => one + other));
    const bytes = Buffer.from(pairs.join(' '));
    const read = await indexDocument(bytes, { file_name: 'a.txt', content_type: 'text/plain' }, () => {});
    expect(read).toMatchObject({ content_type: 'text/plain', reason: { type: 'too_complex' } });
  });
});

describe('a damaged index', () => {
  const whole = encodeIndex(sample);
  const searchIndex = (bytes: Uint8Array) => search([openIndex(bytes)], 'moon marsh miller nigth', 20);
  const damage = (change: (bytes: Uint8Array) => Uint8Array) => change(Uint8Array.from(whole));

  /** Checks that a search returns the right hits or throws DamagedIndex. */
  function checkResult(bytes: Uint8Array): void {
    let hits: unknown;
    try {
      hits = searchIndex(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(DamagedIndex);
      return;
    }
    expect(hits).toEqual(searchIndex(whole));
  }

  test('is rejected if it has another version, is empty or is another file', () => {
    const version = damage((bytes) => bytes.with(3, 3));
    const others = [
      version,
      new Uint8Array(),
      Buffer.from('PSG'),
      Buffer.from('%PDF-1.7\n'.repeat(100)),
      Buffer.alloc(1_000),
    ];
    for (const other of others) expect(() => openIndex(other)).toThrow(DamagedIndex);
  });

  test('is rejected if it is cut or extended', () => {
    for (let end = 0; end < whole.length; end += 1)
      expect(() => openIndex(whole.subarray(0, end))).toThrow(DamagedIndex);
    expect(() => openIndex(Buffer.concat([whole, Buffer.of(0)]))).toThrow(DamagedIndex);
  });

  test('is rejected or returns the right hits if any bytes are changed', () => {
    const change = fc.record({ at: fc.nat(whole.length - 1), value: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
        checkResult(damage((bytes) => changes.reduce((changed, { at, value }) => changed.with(at, value), bytes)));
      }),
      { numRuns: getSampleSize(2_000) },
    );
  });

  test('is rejected before it takes memory for a false number of passages', () => {
    const declared = 4_000_000_000;
    const numbers = [1, 1, 1, 3, 1, 0, 1, declared, 2, 10]; // the format of encodeIndex: one passage, one term
    const index = zstdCompressSync(Buffer.concat([pack(numbers), Buffer.from('\na\n'), Buffer.of(0, 1)]));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(index.length);
    const opened = openIndex(Buffer.concat([signature, Uint8Array.of(version), size, index, Buffer.alloc(10)]));
    expect(opened.countPassages(0)).toBe(declared);
    const before = process.memoryUsage().arrayBuffers;
    expect(() => opened.postings(0)).toThrow(DamagedIndex);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(declared);
  });

  test('is rejected if random bytes follow the signature', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => openIndex(Buffer.concat([whole.subarray(0, 4), bytes]))).toThrow(DamagedIndex);
      }),
    );
  });
});
