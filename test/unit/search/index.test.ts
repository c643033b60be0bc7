import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../shared/domain/reading.ts';
import { DamagedIndex, packed } from '../../../shared/search/bytes.ts';
import { encodeIndex, signature } from '../../../shared/search/encode.ts';
import { openIndex } from '../../../shared/search/open.ts';
import type { Passage } from '../../../shared/search/passages.ts';
import { search } from '../../../shared/search/search.ts';
import { termOf, wordsOf } from '../../../shared/search/words.ts';
import { sampleSize } from '../../support/sample.ts';

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
  test('gives back every passage, and for every term the passages that hold it', () => {
    fc.assert(
      fc.property(passages, (given) => {
        const index = openIndex(encodeIndex(given));
        expect(given.map((_, i) => index.passage(i))).toEqual(given);
        const held = given.map((one) => wordsOf(one.text).map(termOf));
        expect([...index.lengths]).toEqual(held.map((terms) => terms.length));
        expect(index.words).toBe(held.flat().length);
        for (const term of new Set(held.flat())) {
          const counts = held.map((terms) => terms.filter((one) => one === term).length);
          const holders = [...counts.keys()].filter((i) => counts[i]);
          const number = index.terms.find(term) ?? -1;
          const postings = index.postings(number);
          expect(index.holders(number)).toBe(holders.length);
          expect([...postings.passages]).toEqual(holders);
          expect([...postings.counts]).toEqual(holders.map((i) => counts[i]));
        }
      }),
    );
  });

  test('knows its terms by their beginnings and ends', () => {
    const { terms } = openIndex(encodeIndex([{ page: 1, text: 'Kaution Mietkaution Mieter Automiete 几点' }]));
    const all = terms.names({ from: 0, to: terms.count });
    const beginning = (text: string) => terms.names(terms.beginning(text));
    const ending = (text: string, limit = 9) => terms.ending(text, limit).map((i) => all[i]);
    expect(all).toEqual(['automiet', 'kaution', 'mieter', 'mietkaution', '几点']);
    expect(beginning('m')).toEqual(['mieter', 'mietkaution']);
    expect(beginning('')).toEqual(all);
    expect(beginning('z')).toEqual([]);
    expect(beginning('k')).toEqual(['kaution']);
    expect(ending('kaution')).toEqual(['kaution', 'mietkaution']);
    expect(ending('kaution', 1)).toEqual(['kaution']);
    expect(ending('miet')).toEqual(['automiet']);
    expect(ending('点')).toEqual(['几点']);
    expect([...beginning('tkau'), ...ending('tkau')]).toEqual([]);
    expect(terms.find('miet')).toBeUndefined();
  });

  test('is the same bytes for the same passages', () => {
    expect(encodeIndex(sample)).toEqual(encodeIndex(structuredClone(sample)));
  });

  test('is smaller than its text', () => {
    expect(encodeIndex(sample).length).toBeLessThan(sample.map((one) => one.text).join('').length / 2);
  });

  test('counts the memory that its terms take, which is many times its object', () => {
    const words = Array.from({ length: 100_000 }, (_, i) => `abcdefgh${i}`);
    const object = encodeIndex([{ page: null, text: words.join(' ') }]);
    const stored = words.join(' ').length + 2 * words.length; // a byte for the passages of each, one for their number
    expect(openIndex(object).bytes).toBeGreaterThan(object.length + stored + 12 * words.length);
    expect(openIndex(object).bytes).toBeGreaterThan(10 * object.length);
  });

  test('has a million terms at most: a document of more is too complex', async () => {
    const characters = Array.from({ length: 1_001 }, (_, i) => String.fromCodePoint(0x4e00 + i));
    const pairs = characters.flatMap((one) => characters.map((other) => one + other));
    const bytes = Buffer.from(pairs.join(' '));
    const read = await readDocument(bytes, { file_name: 'a.txt', content_type: 'text/plain' }, () => {});
    expect(read).toMatchObject({ content_type: 'text/plain', reason: { type: 'too_complex' } });
  });
});

describe('an object that is no index', () => {
  const whole = encodeIndex(sample);
  const use = (bytes: Uint8Array) => search([openIndex(bytes)], 'moon marsh miller nigth', 20);
  const damaged = (change: (bytes: Uint8Array) => Uint8Array) => change(Uint8Array.from(whole));

  /** Either the right answer or the named error. */
  function holds(bytes: Uint8Array): void {
    let hits: unknown;
    try {
      hits = use(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(DamagedIndex);
      return;
    }
    expect(hits).toEqual(use(whole));
  }

  test('is refused where it is of another version, empty, or something else', () => {
    const version = damaged((bytes) => bytes.with(3, 2));
    const others = [
      version,
      new Uint8Array(),
      Buffer.from('PSG'),
      Buffer.from('%PDF-1.7\n'.repeat(100)),
      Buffer.alloc(1_000),
    ];
    for (const other of others) expect(() => openIndex(other)).toThrow(DamagedIndex);
  });

  test('is refused where it is cut or goes on', () => {
    for (let end = 0; end < whole.length; end += 1)
      expect(() => openIndex(whole.subarray(0, end))).toThrow(DamagedIndex);
    expect(() => openIndex(Buffer.concat([whole, Buffer.of(0)]))).toThrow(DamagedIndex);
  });

  test('is refused, or answers rightly, where any bytes are others', () => {
    const change = fc.record({ at: fc.nat(whole.length - 1), value: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
        holds(damaged((bytes) => changes.reduce((changed, { at, value }) => changed.with(at, value), bytes)));
      }),
      { numRuns: sampleSize(2_000) },
    );
  });

  test('is refused before memory is taken for passages of a term that are not there', () => {
    const declared = 4_000_000_000;
    const numbers = [1, 1, 3, 1, 0, 1, declared, 2, 10]; // as encodeIndex writes them: one passage, one term
    const index = zstdCompressSync(Buffer.concat([packed(numbers), Buffer.from('\na\n'), Buffer.of(0, 1)]));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(index.length);
    const opened = openIndex(Buffer.concat([signature, size, index, Buffer.alloc(10)]));
    expect(opened.holders(0)).toBe(declared);
    const before = process.memoryUsage().arrayBuffers;
    expect(() => opened.postings(0)).toThrow(DamagedIndex);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(declared);
  });

  test('is refused where it is made of any bytes after the signature', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => openIndex(Buffer.concat([whole.subarray(0, 4), bytes]))).toThrow(DamagedIndex);
      }),
    );
  });
});
