import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexDocument } from '../../../shared/domain/index-document.ts';
import { createReader, DamagedIndex, pack } from '../../../shared/search/bytes.ts';
import { encodeIndex, IndexTooLarge, signature, version } from '../../../shared/search/encode.ts';
import { openIndex } from '../../../shared/search/open.ts';
import { type Passage, sizes, splitPassages } from '../../../shared/search/passages.ts';
import { search } from '../../../shared/search/search.ts';
import { toTerms } from '../../../shared/search/stems.ts';
import { toTermKey } from '../../../shared/search/terms.ts';
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
        const wordsOfPassages = given.map((one) => splitWords(one.text, index.rules));
        expect([...index.lengths]).toEqual(wordsOfPassages.map((words) => words.length));
        expect(index.words).toBe(wordsOfPassages.flat().length);
        const termsOfPassages = wordsOfPassages.map((words) => words.flatMap((word) => toTerms(word, index.rules)));
        for (const term of new Set(termsOfPassages.flat())) {
          const counts = termsOfPassages.map((terms) => terms.filter((one) => one === term).length);
          const holders = [...counts.keys()].filter((i) => counts[i]);
          const number = index.terms.find(toTermKey(term)) ?? -1;
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
    expect(terms.find(toTermKey('miet'))).toBeUndefined();
  });

  test('is not written if it would be too large to be opened', () => {
    const passage = { page: null, text: 'moon' };
    expect(openIndex(encodeIndex(Array(200_000).fill(passage))).lengths).toHaveLength(200_000);
    expect(() => encodeIndex(Array(200_001).fill(passage))).toThrow(IndexTooLarge);
  });

  test('is deterministic', () => {
    expect(encodeIndex(sample)).toEqual(encodeIndex(structuredClone(sample)));
  });

  test('is smaller than its text', () => {
    expect(encodeIndex(sample).length).toBeLessThan(sample.map((one) => one.text).join('').length / 2);
  });

  test('reports the memory of its terms, which is many times the size of the file', () => {
    const words = Array.from({ length: 100_000 }, (_, i) => `abcdefgh${i}`);
    const object = encodeIndex(splitPassages([{ number: null, text: words.join(' ') }]));
    const stored = words.join(' ').length + 2 * words.length; // per term, a byte for its passages and one for their number
    expect(openIndex(object).memoryBytes).toBeGreaterThan(object.length + stored + 12 * words.length);
    expect(openIndex(object).memoryBytes).toBeGreaterThan(10 * object.length);
  });

  test('counts the memory that even the smallest index takes', () => {
    const object = encodeIndex([{ page: null, text: 'Yes' }]);
    expect(object.length).toBeLessThan(100);
    expect(openIndex(object).memoryBytes).toBeGreaterThan(5_000); // measured, without what the allocator wastes
  });

  test('has at most a million terms, and the document a warning if it has more', async () => {
    const characters = Array.from({ length: 1_001 }, (_, i) => String.fromCodePoint(0x4e00 + i));
    const pairs = characters.flatMap((one) => characters.map((other) => one + other));
    const bytes = Buffer.from(pairs.join(' '));
    const read = await indexDocument(
      bytes,
      { file_name: 'a.txt', content_type: 'text/plain', languages: { available: ['en'] } },
      () => {},
    );
    expect(read).toMatchObject({ warnings: [{ type: 'words_left_out' }] });
    const { terms } = openIndex('index' in read ? read.index : new Uint8Array());
    expect(terms.count).toBe(1_000_000);
    expect(terms.find(toTermKey('丁一'))).toBeDefined();
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

  test('is rejected if random bytes follow the signature', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => openIndex(Buffer.concat([whole.subarray(0, 4), bytes]))).toThrow(DamagedIndex);
      }),
    );
  });
});

describe('an index of a parser that was broken into', () => {
  /** Wraps the bytes of an index as `encodeIndex` does, so that no checksum shows what was changed. */
  function wrap(index: Uint8Array, blocks: Uint8Array): Uint8Array {
    const packed = zstdCompressSync(index);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(packed.length);
    return Buffer.concat([signature, Uint8Array.of(version), size, packed, blocks]);
  }

  /** Opens an index and reads all of it. Returns true if it is damaged. */
  function isDamaged(bytes: Uint8Array): boolean {
    try {
      const index = openIndex(bytes);
      for (const { passage, score } of search([index], 'moon marsh miller nigth', 20)) {
        expect(passage.text.length).toBeLessThanOrEqual(3 * sizes.max);
        expect(score).toBeGreaterThan(0);
      }
      for (let term = 0; term < index.terms.count; term++) index.postings(term);
      for (let i = 0; i < index.lengths.length; i++) index.passage(i);
      return false;
    } catch (error) {
      expect(error).toBeInstanceOf(DamagedIndex);
      return true;
    }
  }

  /** Returns the growth of the memory for arrays while a function runs. */
  function measureArrayBytes(run: () => void): number {
    const before = process.memoryUsage().arrayBuffers;
    run();
    return process.memoryUsage().arrayBuffers - before;
  }

  const whole = encodeIndex(sample);
  const packedSize = Buffer.from(whole).readUInt32LE(4);
  const unpacked = zstdDecompressSync(whole.subarray(8, 8 + packedSize));
  const blocks = whole.subarray(8 + packedSize);
  const reader = createReader(unpacked);
  const head = reader.numbers(4);
  const [passageCount = 0, termCount = 0] = head.subarray(1);
  const numbers = [...head, ...reader.numbers(3 * passageCount + 2 * termCount + Math.ceil(passageCount / 32))];
  const rest = unpacked.subarray(pack(numbers).length);

  test('is read if it is right', () => {
    expect(isDamaged(wrap(unpacked, blocks))).toBe(false);
    expect(wrap(Buffer.concat([pack(numbers), rest]), blocks)).toEqual(wrap(unpacked, blocks));
  });

  test.each([
    ['passages', [1, 400_000_000, 1, 3]],
    ['terms', [1, 1, 4_000_000_000, 3]],
    ['bytes of terms', [1, 1, 1, 4_000_000_000]],
    ['characters of a passage', [1, 1, 1, 3, 1, 0, 400_000_000, 1, 2, 10]],
    ['passages with a term', [1, 1, 1, 3, 1, 0, 1, 4_000_000_000, 2, 10]],
  ])('is rejected when it is opened if it declares too many %s', (_, declared) => {
    const index = wrap(Buffer.concat([pack(declared), Buffer.from('\na\n'), Buffer.of(0, 1)]), Buffer.alloc(10));
    expect(measureArrayBytes(() => expect(() => openIndex(index)).toThrow(DamagedIndex))).toBeLessThan(1_000_000);
  });

  test('is rejected if it declares as many passages or terms as fit into it', () => {
    const zeros = Buffer.alloc(9_000_000);
    for (const declared of [
      [1, 3_000_000, 0, 0],
      [1, 1, 3_000_000, 0],
    ]) {
      const index = wrap(Buffer.concat([pack(declared), zeros]), new Uint8Array());
      expect(() => openIndex(index)).toThrow('larger than any document');
    }
  });

  test('is rejected if its sizes together exceed 32 bits', () => {
    const index = pack([1, 1, 2, 5, 1, 0, 1, 1, 1, 0xffff_ffff, 3, 10]);
    const bytes = Buffer.concat([index, Buffer.from('\na\nb\n'), Buffer.of(0, 1)]);
    expect(() => openIndex(wrap(bytes, Buffer.alloc(10)))).toThrow('more bytes than an object has');
  });

  test('is rejected if it has terms, but no words, which would make scores NaN', () => {
    const index = pack([1, 1, 1, 3, 0, 0, 1, 1, 2, 10]);
    const bytes = Buffer.concat([index, Buffer.from('\na\n'), Buffer.of(0, 1)]);
    expect(() => openIndex(wrap(bytes, Buffer.alloc(10)))).toThrow('no words');
  });

  test('is rejected if a term is longer than any word', () => {
    const name = 'a'.repeat(600);
    const index = pack([1, 1, 1, name.length + 2, 1, 0, 1, 1, 2, 10]);
    const bytes = Buffer.concat([index, Buffer.from(`\n${name}\n`), Buffer.of(0, 1)]);
    expect(() => openIndex(wrap(bytes, Buffer.alloc(10)))).toThrow('A term is too long');
  });

  test('is rejected or read within 20 MB if any of its numbers are others', () => {
    const odd = fc.oneof(fc.nat(300), fc.constantFrom(0, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff), fc.nat(0xffff_ffff));
    const change = fc.tuple(fc.oneof(fc.nat(3), fc.nat(numbers.length - 1)), odd);
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const changed = changes.reduce((all, [at, value]) => all.with(at, value), numbers);
        const bytes = wrap(Buffer.concat([pack(changed), rest]), blocks);
        expect(measureArrayBytes(() => isDamaged(bytes))).toBeLessThan(20_000_000);
      }),
      { numRuns: getSampleSize(500) },
    );
  });

  test('is rejected or read within 20 MB if any of its bytes are others, in another order, or missing', () => {
    const piece = fc.record({ at: fc.nat(unpacked.length), drop: fc.nat(3), add: fc.uint8Array({ maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (pieces) => {
        const changed = pieces.reduce(
          (all, { at, drop, add }) => Buffer.concat([all.subarray(0, at), add, all.subarray(at + drop)]),
          unpacked,
        );
        expect(measureArrayBytes(() => isDamaged(wrap(changed, blocks)))).toBeLessThan(20_000_000);
      }),
      { numRuns: getSampleSize(500) },
    );
  });
});
