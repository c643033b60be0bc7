import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeIndex } from '../../../shared/search/encode.ts';
import { type Index, openIndex } from '../../../shared/search/open.ts';
import type { Passage } from '../../../shared/search/passages.ts';
import { search } from '../../../shared/search/search.ts';
import { sampleSize } from '../../support/sample.ts';

const indexOf = (...texts: string[]) => openIndex(encodeIndex(texts.map((text, i) => ({ page: i + 1, text }))));
const pagesFound = (texts: string[], query: string, limit = 5) =>
  search([indexOf(...texts)], query, limit).map(({ passage }) => passage.page);

const opening = 'The office opens at nine and closes at five.';
const parking = 'Parking costs two euros an hour, opposite the station.';
const deposit = 'Before you move in you pay a deposit of three rents.';

describe('a search', () => {
  test.each([
    ['in other forms of the words', [opening, parking, deposit], 'when does it open', 1],
    ['in capitals and without accents', ['Les bagages', 'La Résérvation', 'Le menu'], 'RESERVATION', 2],
    ['by a number said otherwise', ['It is $3,650.', 'It is $3,651.'], 'three thousand? 3650', 1],
    ['by a misheard name', ['Ask Fagin.', 'Ask Nancy.', 'Ask Oliver.'], 'what does Feygin say', 1],
    ['by part of a compound', ['Der Garten', 'Die Mietkaution', 'Das Dach'], 'Kaution', 2],
    ['in Chinese', ['地下停车场收费', '抽血前不能进食', '医保卡付款'], '停车要钱吗', 1],
    ['in Thai', ['เปิดเก้าโมงเช้า', 'ที่จอดรถฟรี'], 'มีที่จอดรถไหม', 2],
  ])('finds %s', (_, texts, query, page) => {
    expect(pagesFound(texts, query)[0]).toBe(page);
  });

  test('lets rare words decide over those that everybody says', () => {
    expect(
      pagesFound(
        ['What is it that you have to do when it is on?', 'The sauna.', 'The pool.'],
        'what do I have to do when the sauna is on',
        1,
      ),
    ).toEqual([1]);
    expect(
      pagesFound(['What is it that you have?', 'Use the sauna.', 'The pool.'], 'what have you in the sauna', 1),
    ).toEqual([2]);
  });

  test('guesses only for words that no index has', () => {
    const [one, other] = [indexOf('Sykes is here.', 'Nobody.'), indexOf('Sikes is here.', 'Nobody.')];
    expect(search([other], 'sykes', 5)).toHaveLength(1);
    expect(search([one, other], 'sykes', 5).map(({ index }) => index)).toEqual([0]);
  });

  test('finds nothing without a word, without passages, and where no word is held', () => {
    expect(pagesFound([opening, parking], ' … ?! ')).toEqual([]);
    expect(pagesFound([opening, parking], 'xylophone')).toEqual([]);
    expect(pagesFound([], 'office')).toEqual([]);
    expect(search([], 'office', 5)).toEqual([]);
    expect(search([indexOf(), indexOf(''), indexOf(opening)], 'office', 5)).toHaveLength(1);
  });

  test('gives no more than the limit, best first, and equals in their order', () => {
    const index = indexOf(parking, opening, opening, deposit, opening);
    const found = search([index, index], 'office', 4);
    expect(found.map(({ index: place, passage }) => [place, passage.page])).toEqual([
      [0, 2],
      [0, 3],
      [0, 5],
      [1, 2],
    ]);
    expect(search([index], 'office parking', 0)).toEqual([]);
    const scores = search([index], 'office opens parking', 20).map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(Math.min(...scores)).toBeGreaterThan(0);
  });

  const held = [
    'moon',
    'moons',
    'mill',
    'miller',
    'marshes',
    'the',
    'of',
    'der',
    'Mietkaution',
    'Kautionskonto',
    'Fagin',
  ];
  const wordsOfTexts = [...held, 'Fogin', 'bagages', 'Bagage', '开门', '几点开门', '1,000', '1000', 'มอง'];
  const wordsOfQueries = [...wordsOfTexts, 'Kaution', 'Fugin', 'Faggin', 'marsh', 'mills', 'xylophone'];
  const some = (words: string[]) =>
    fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((chosen) => chosen.join(' '));
  const text = some(wordsOfTexts);
  const passage: fc.Arbitrary<Passage> = fc.record({ page: fc.option(fc.nat(9)), text });

  test('ranks several indexes as it ranks one of all their passages', () => {
    const bases = fc.array(fc.array(passage, { maxLength: 12 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(bases, some(wordsOfQueries), fc.integer({ min: 1, max: 20 }), (lists, query, limit) => {
        const apart = search(
          lists.map((list) => openIndex(encodeIndex(list))),
          query,
          limit,
        );
        const joined = search([openIndex(encodeIndex(lists.flat()))], query, limit);
        expect(apart.map(({ passage, score }) => ({ passage, score }))).toEqual(
          joined.map(({ passage, score }) => ({ passage, score })),
        );
        for (const { index, passage } of apart) expect(lists[index]).toContainEqual(passage);
      }),
      { numRuns: sampleSize(500) },
    );
  });

  test('takes any query for words: nothing in it is an operator', () => {
    const index = indexOf(opening, parking, deposit);
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2_000 }),
      fc
        .array(
          fc.constantFrom(
            'office',
            '"',
            '*',
            '-',
            ' AND ',
            ' NOT ',
            '(',
            ':',
            '~2',
            '__proto__',
            'constructor',
            '\0',
            '\n',
            '\ud800',
          ),
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(hostile, (query) => {
        for (const { score } of search([index], query, 20)) expect(score).toBeGreaterThan(0);
      }),
      { numRuns: sampleSize(300) },
    );
    const plain = search([index], 'office nine', 5);
    for (const query of [
      '"office" -nine',
      'office AND nine NOT',
      'text:office^9 nine~2',
      '(office) || [nine]*',
      'office\nnine\0',
    ]) {
      expect(search([index], query, 5)[0]?.passage).toEqual(plain[0]?.passage);
    }
  });

  test('looks at 2,000 characters of a query', () => {
    const index = indexOf(opening, parking);
    expect(search([index], `${'.'.repeat(1_990)} office`, 5)).toHaveLength(1);
    expect(search([index], `${'.'.repeat(2_000)} office`, 5)).toEqual([]);
    expect(search([index], `${'.'.repeat(1_999)}👩`, 5)).toEqual([]);
  });
});

/** An index that counts what is asked of it. */
function watched(index: Index, counts: { ends: number; compared: number; postings: number; lists: number }): Index {
  return {
    ...index,
    terms: {
      ...index.terms,
      ending(text, limit) {
        counts.ends += index.terms.count;
        return index.terms.ending(text, limit);
      },
      names(range) {
        counts.compared += range.to - range.from;
        return index.terms.names(range);
      },
    },
    postings(term) {
      const postings = index.postings(term);
      counts.postings += postings.passages.length;
      counts.lists += 1;
      return postings;
    },
  };
}

/** The work of a search in 50 documents that are alike. */
function workOf(index: Index, query: string) {
  const counts = { ends: 0, compared: 0, postings: 0, lists: 0 };
  const found = search(Array<Index>(50).fill(watched(index, counts)), query, 20).length;
  return { ...counts, found };
}

const indexOfWords = (count: number, wordAt: (i: number) => string) =>
  indexOf(
    ...Array.from({ length: count / 100 }, (_, p) =>
      Array.from({ length: 100 }, (_, i) => wordAt(p * 100 + i)).join(' '),
    ),
  );

describe('the work of a search is bounded', () => {
  const oneBeginning = indexOfWords(60_000, (i) => `abcdefgh${i}`);

  test('in the words of a document that stand in for one: 500', () => {
    const { lists, postings, found } = workOf(oneBeginning, 'abcdefgh');
    expect({ lists, postings, found }).toEqual({ lists: 25_000, postings: 25_000, found: 20 });
    const oneEnd = indexOfWords(60_000, (i) => `${i}qabcdefgh`);
    expect(workOf(oneEnd, 'qabcdefgh').lists).toBe(25_000);
    const letters = 'abcdefghijklmnopqrstuvwxyzabcdefgh';
    const alike = indexOfWords(900, (i) => {
      const at = 1 + (i % 30);
      return `${letters.slice(0, at)}${String.fromCharCode(0x430 + i / 30)}${letters.slice(at + 1)}`;
    });
    expect(workOf(alike, letters).lists).toBe(25_000);
  });

  test('in ends that are looked at: 10 million', () => {
    const words = Array.from({ length: 8 }, (_, i) => `${i}abcdefgh`).join(' ');
    expect(workOf(oneBeginning, words).ends).toBe(9_000_000);
  });

  test('in spellings that are compared: 300,000', () => {
    const words = Array.from({ length: 8 }, (_, i) => `abcdefgi${i}`).join(' ');
    const { compared } = workOf(oneBeginning, words);
    expect(compared).toBe(0);
    const few = indexOfWords(2_000, (i) => `abcdefgh${i}`);
    expect(workOf(few, words).compared).toBe(300_000);
  });

  test('in postings that are read: 5 million', () => {
    const letters = Array.from({ length: 200 }, (_, i) => String.fromCodePoint(0x1200 + i));
    const everywhere = indexOf(...Array<string>(2_000).fill(letters.join(' ')), 'needle');
    const { postings, found } = workOf(everywhere, `${letters.join(' ')} needle`);
    expect({ postings, found }).toEqual({ postings: 4_900_050, found: 20 });
  });

  test('alike in whatever order the documents are attached', () => {
    const wordsOfPassage = (n: number, i: number) =>
      Array.from({ length: 40 + 3 * i + n }, (_, k) => `abcdefgh${n}${i}${k}q`);
    const indexes = [1, 2, 3].flatMap((n) => {
      const passages = Array.from({ length: 200 }, (_, i) => wordsOfPassage(n, i).join(' '));
      return Array<Index>(17).fill(indexOf(...passages));
    });
    const query = 'abcdefgh xabcdefgh abcdefg1q bcdefgh abcdefgz abcdefgh1x hgfedcba abcdef';
    const found = (order: Index[]) =>
      search(order, query, 20).map(({ passage, score }) => [passage.text.slice(0, 20), score]);
    expect(found(indexes)).toHaveLength(20);
    expect(found(indexes.toReversed())).toEqual(found(indexes));
  });
});
