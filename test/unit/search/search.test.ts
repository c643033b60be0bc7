import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costs, countSpellingSteps, createBudget } from '../../../shared/search/budget.ts';
import { encodeIndex } from '../../../shared/search/encode.ts';
import { type Index, openIndex } from '../../../shared/search/open.ts';
import type { Passage } from '../../../shared/search/passages.ts';
import { search } from '../../../shared/search/search.ts';
import { decodeTerms, encodeTerms } from '../../../shared/search/terms.ts';
import { getSampleSize } from '../../support/sample.ts';

const buildIndex = (...texts: string[]) => openIndex(encodeIndex(texts.map((text, i) => ({ page: i + 1, text }))));
const findPages = (texts: string[], query: string, limit = 5) =>
  search([buildIndex(...texts)], query, limit).map(({ passage }) => passage.page);

const opening = 'The office opens at nine and closes at five.';
const parking = 'Parking costs two euros an hour, opposite the station.';
const deposit = 'Before you move in you pay a deposit of three rents.';

describe('a search', () => {
  test.each([
    ['other forms of a word', [opening, parking, deposit], 'when does it open', 1],
    ['words in capitals and without accents', ['Les bagages', 'La Résérvation', 'Le menu'], 'RESERVATION', 2],
    ['numbers in another format', ['It is $3,650.', 'It is $3,651.'], 'three thousand? 3650', 1],
    ['a misheard name', ['Ask Fagin.', 'Ask Nancy.', 'Ask Oliver.'], 'what does Feygin say', 1],
    ['part of a compound', ['Der Garten', 'Die Mietkaution', 'Das Dach'], 'Kaution', 2],
    ['Chinese words', ['地下停车场收费', '抽血前不能进食', '医保卡付款'], '停车要钱吗', 1],
    ['Thai words', ['เปิดเก้าโมงเช้า', 'ที่จอดรถฟรี'], 'มีที่จอดรถไหม', 2],
  ])('finds %s', (_, texts, query, page) => {
    expect(findPages(texts, query)[0]).toBe(page);
  });

  test('ranks rare words above common ones', () => {
    expect(
      findPages(
        ['What is it that you have to do when it is on?', 'The sauna.', 'The pool.'],
        'what do I have to do when the sauna is on',
        1,
      ),
    ).toEqual([1]);
    expect(
      findPages(['What is it that you have?', 'Use the sauna.', 'The pool.'], 'what have you in the sauna', 1),
    ).toEqual([2]);
  });

  test('corrects only words that no index has', () => {
    const [one, other] = [buildIndex('Sykes is here.', 'Nobody.'), buildIndex('Sikes is here.', 'Nobody.')];
    expect(search([other], 'sykes', 5)).toHaveLength(1);
    expect(search([one, other], 'sykes', 5).map(({ index }) => index)).toEqual([0]);
  });

  test('finds nothing for no words, in no passages, or for unknown words', () => {
    expect(findPages([opening, parking], ' … ?! ')).toEqual([]);
    expect(findPages([opening, parking], 'xylophone')).toEqual([]);
    expect(findPages([], 'office')).toEqual([]);
    expect(search([], 'office', 5)).toEqual([]);
    expect(search([buildIndex(), buildIndex(''), buildIndex(opening)], 'office', 5)).toHaveLength(1);
  });

  test('returns the best hits up to the limit, with ties in document order', () => {
    const index = buildIndex(parking, opening, opening, deposit, opening);
    const found = search([index, index], 'office', 4);
    expect(found.map(({ index: base, passage }) => [base, passage.page])).toEqual([
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

  const indexedWords = [
    'moon',
    'moons',
    'mill',
    'miller',
    'marshes',
    'the',
    'of',
    'Mietkaution',
    'Kautionskonto',
    'Fagin',
  ];
  const wordsOfTexts = [...indexedWords, 'Fogin', 'bagages', 'Bagage', '开门', '几点开门', '1,000', '1000', 'มอง'];
  const wordsOfQueries = [...wordsOfTexts, 'Kaution', 'Fugin', 'Faggin', 'marsh', 'mills', 'xylophone'];
  const chooseWords = (words: string[]) =>
    fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((chosen) => chosen.join(' '));
  const text = chooseWords(wordsOfTexts);
  const passage: fc.Arbitrary<Passage> = fc.record({ page: fc.option(fc.nat(9)), text });

  test('ranks several indexes in one language like one index of all their passages', () => {
    const bases = fc.array(fc.array(passage, { maxLength: 12 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(bases, chooseWords(wordsOfQueries), fc.integer({ min: 1, max: 20 }), (lists, query, limit) => {
        const indexes = lists.map((list) => openIndex(encodeIndex(list)));
        const separate = search(indexes, query, limit);
        expect(separate).toEqual(search(indexes, query, 100).slice(0, limit));
        const joined = search([openIndex(encodeIndex(lists.flat()))], query, limit);
        expect(separate.map(({ passage, score }) => ({ passage, score }))).toEqual(
          joined.map(({ passage, score }) => ({ passage, score })),
        );
        for (const { index, passage } of separate) expect(lists[index]).toContainEqual(passage);
      }),
      { numRuns: getSampleSize(500) },
    );
  });

  test('treats all of a query as words, without operators', () => {
    const index = buildIndex(opening, parking, deposit);
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
      { numRuns: getSampleSize(300) },
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

  test('uses the first 2,000 characters of a query', () => {
    const index = buildIndex(opening, parking);
    expect(search([index], `${'.'.repeat(1_990)} office`, 5)).toHaveLength(1);
    expect(search([index], `${'.'.repeat(2_000)} office`, 5)).toEqual([]);
    expect(search([index], `${'.'.repeat(1_999)}👩`, 5)).toEqual([]);
  });
});

/**
 * Work of a search: terms compared by suffix and by spelling, postings and their lists, and the steps of the budget for looking up,
 * comparing and reading.
 */
const noWork = { suffixes: 0, compared: 0, postings: 0, lists: 0, steps: 0 };

/** Wraps an index to count its work. */
function countWork(index: Index, counts: typeof noWork): Index {
  return {
    ...index,
    terms: {
      ...index.terms,
      find(key) {
        counts.steps += costs.lookup;
        return index.terms.find(key);
      },
      findBySuffix(text, limit, budget) {
        const { steps } = budget;
        const found = index.terms.findBySuffix(text, limit, budget);
        counts.suffixes += index.terms.count;
        counts.steps += steps - budget.steps;
        return found;
      },
      getNames(range) {
        counts.compared += range.to - range.from;
        const names = index.terms.getNames(range);
        for (const { length } of names) counts.steps += countSpellingSteps(length);
        counts.steps += costs.decodedByte * index.terms.countBytes(range);
        return names;
      },
    },
    postings(term) {
      const postings = index.postings(term);
      counts.postings += postings.passages.length;
      counts.lists += 1;
      counts.steps += costs.list + costs.posting * postings.passages.length;
      return postings;
    },
  };
}

/** Returns the work of a search in 50 equal documents. */
function measureWork(index: Index, query: string) {
  const counts = { ...noWork };
  const found = search(Array<Index>(50).fill(countWork(index, counts)), query, 20).length;
  return { ...counts, found };
}

const buildWordIndex = (count: number, getWord: (i: number) => string) =>
  buildIndex(
    ...Array.from({ length: count / 100 }, (_, p) =>
      Array.from({ length: 100 }, (_, i) => getWord(p * 100 + i)).join(' '),
    ),
  );

describe('the work of a search is bounded', () => {
  const samePrefix = buildWordIndex(60_000, (i) => `abcdefgh${i}`);

  test('to 500 similar terms of a document per word', () => {
    const { lists, postings, found } = measureWork(samePrefix, 'abcdefgh');
    expect({ lists, postings, found }).toEqual({ lists: 25_000, postings: 25_000, found: 20 });
    const sameSuffix = buildWordIndex(60_000, (i) => `${i}qabcdefgh`);
    expect(measureWork(sameSuffix, 'qabcdefgh').lists).toBe(25_000);
    const letters = 'abcdefghijklmnopqrstuvwxyzabcdefgh';
    const similar = buildWordIndex(900, (i) => {
      const at = 1 + (i % 30);
      return `${letters.slice(0, at)}${String.fromCharCode(0x430 + i / 30)}${letters.slice(at + 1)}`;
    });
    expect(measureWork(similar, letters).lists).toBe(25_000);
  });

  test('to 10 million comparisons of suffixes', () => {
    const words = Array.from({ length: 8 }, (_, i) => `${i}abcdefgh`).join(' ');
    expect(measureWork(samePrefix, words).suffixes).toBe(9_000_000);
  });

  test('to fewer comparisons of the ends of long terms, whose other bytes take time to skip', () => {
    const measureSteps = (length: number) => {
      const names = Array.from({ length: 1_000 }, (_, i) => 'a'.repeat(length - 4) + (1_000 + i));
      const budget = { steps: 1_000_000 };
      decodeTerms(encodeTerms(names), names.length).findBySuffix('x', 10, budget);
      return (1_000_000 - budget.steps) / names.length;
    };
    expect(measureSteps(20)).toBeCloseTo(costs.ending, 0);
    expect(measureSteps(124)).toBeCloseTo(costs.ending + 101 * costs.skippedByte, 0);
  });

  test('to 300,000 comparisons of spellings', () => {
    const words = Array.from({ length: 8 }, (_, i) => `abcdefgi${i}`).join(' ');
    const { compared } = measureWork(samePrefix, words);
    expect(compared).toBe(0);
    const small = buildWordIndex(2_000, (i) => `abcdefgh${i}`);
    expect(measureWork(small, words).compared).toBe(300_000);
  });

  test('to fewer comparisons of long spellings, whose letters take longer', () => {
    const compareSpellings = (length: number) => {
      const terms = Array.from({ length: 4_000 }, (_, i) => `a${'b'.repeat(length - 5)}${1_000 + i}`);
      const index = buildIndex(...Array.from({ length: 200 }, (_, i) => terms.slice(20 * i, 20 * i + 20).join(' ')));
      return measureWork(index, `ac${'b'.repeat(length - 2)}`).compared;
    };
    expect(compareSpellings(30)).toBe(200_000);
    expect(compareSpellings(31)).toBe(0);
  });

  test('to fewer comparisons of terms that are far longer than the word, as only a hostile index has them', () => {
    const compare = (length: number) => {
      const names = Array.from({ length: 2_000 }, (_, i) => `a${'b'.repeat(length - 5)}${1_000 + i}`);
      const terms = decodeTerms(encodeTerms(names), names.length);
      const index = { ...buildIndex('a'), terms };
      return measureWork(index, 'acdefg').compared;
    };
    expect(compare(10)).toBe(100_000);
    expect(compare(450)).toBe(0);
  });

  test('to 5 million postings', () => {
    const letters = Array.from({ length: 200 }, (_, i) => String.fromCodePoint(0x1200 + i));
    const everywhere = buildIndex(...Array<string>(2_000).fill(letters.join(' ')), 'needle');
    const { postings, found } = measureWork(everywhere, `${letters.join(' ')} needle`);
    expect({ postings, found }).toEqual({ postings: 4_900_050, found: 20 });
  });

  test('to one budget for near endings, near spellings and pairs of characters together', () => {
    const suffix = 'a'.repeat(30);
    const endings = Array.from({ length: 20_000 }, (_, i) => `${i}${suffix}`);
    const spellings = Array.from({ length: 4_000 }, (_, i) => `ß${'ß'.repeat(34)}${i}`);
    const characters = Array.from({ length: 60_000 }, (_, i) => String.fromCharCode(0x4e00 + ((i * i + i / 7) % 60)));
    const cut = (list: string[], size: number, separator: string) =>
      Array.from({ length: list.length / size }, (_, i) => list.slice(i * size, (i + 1) * size).join(separator));
    const index = buildIndex(...cut([...endings, ...spellings], 25, ' '), ...cut(characters, 200, ''));
    const near = ['e', 's', 'y', 'i', 'o'].map((letter) => `${letter}${suffix}`);
    const query = `${near.join(' ')} ß${'ß'.repeat(34)}xyzz ${characters.slice(-1_800).join('')}`;
    const { steps } = createBudget();
    const work = measureWork(index, query);
    expect(work.found).toBe(20);
    expect(work.steps).toBeLessThanOrEqual(steps);
    expect(work.steps).toBeGreaterThan(0.9 * steps);
  });

  test('equally in any order of the documents', () => {
    const buildWords = (n: number, i: number) =>
      Array.from({ length: 40 + 3 * i + n }, (_, k) => `abcdefgh${n}${i}${k}q`);
    const indexes = [1, 2, 3].flatMap((n) => {
      const passages = Array.from({ length: 60 }, (_, i) => buildWords(n, i).join(' '));
      return Array<Index>(17).fill(buildIndex(...passages));
    });
    const query = 'abcdefgh xabcdefgh abcdefg1q bcdefgh abcdefgz abcdefgh1x hgfedcba abcdef';
    const listTop = (order: Index[]) =>
      search(order, query, 20).map(({ passage, score }) => [passage.text.slice(0, 20), score]);
    expect(listTop(indexes)).toHaveLength(20);
    expect(listTop(indexes.toReversed())).toEqual(listTop(indexes));
  });
});
