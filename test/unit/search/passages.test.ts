import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PageText, splitPassages } from '../../../shared/search/passages.ts';
import { cpuTimeSince } from '../../support/cpu-time.ts';
import { getSampleSize } from '../../support/sample.ts';

const longest = 1_200;

/** Builds numbered sentences. No sentence contains another. */
const buildSentences = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `Sentence ${from + i} tells of the moon, the marsh and the mill.`).join(' ');

const createPage = (number: number, text: string): PageText => ({ number, text });
const splitTexts = (pages: PageText[]) => splitPassages(pages).map(({ text }) => text);
const removeSpaces = (text: string) => text.replaceAll(/\s/gu, '');

/** True if the passages cover all of a text in order, with overlaps but without gaps. */
function hasWholeText(passages: string[], text: string): boolean {
  const whole = removeSpaces(text);
  let reached = 0;
  for (const passage of passages.map(removeSpaces)) {
    const at = whole.lastIndexOf(passage, reached);
    if (at < 0) return false;
    reached = Math.max(reached, at + passage.length);
  }
  return reached === whole.length;
}

const someText = fc.oneof(
  { weight: 4, arbitrary: fc.nat(60).map((count) => buildSentences(count)) },
  fc.string({ unit: 'binary', maxLength: 3_000 }),
  fc.string({ unit: 'grapheme', maxLength: 3_000 }),
  fc
    .array(
      fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\n\n',
        '. ',
        '。',
        '👩‍👩‍👧‍👦',
        '\r\n',
        '# Title\n\n',
        'e\u0301',
        'ภาษา',
        '\ud800',
        ' '.repeat(1_500),
      ),
      {
        maxLength: 2_000,
      },
    )
    .map((parts) => parts.join('')),
);

describe('passages', () => {
  test('are never empty or too long, split no character, and cover all of the text', () => {
    const pages = fc.array(fc.record({ number: fc.option(fc.integer({ min: 1, max: 5_000 })), text: someText }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(pages, (given) => {
        const texts = splitTexts(given);
        for (const text of texts) {
          expect(text.length).toBeLessThanOrEqual(longest);
          expect(text.trim()).not.toBe('');
          expect(text.isWellFormed()).toBe(true);
        }
        expect(hasWholeText(texts, given.map(({ text }) => text.toWellFormed()).join('\n'))).toBe(true);
      }),
      { numRuns: getSampleSize(500) },
    );
  });

  test('have similar lengths of about 800 to 1,200 characters if the text allows', () => {
    const lengths = splitTexts([createPage(1, buildSentences(200))]).map(({ length }) => length);
    expect(Math.min(...lengths)).toBeGreaterThan(600);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(longest);
  });

  test('have at most 1,200 characters also where two passages have to share what is left', () => {
    const [first, ...others] = [[300, 300, 60, 70, 70], [1_140], [757]].map((lengths) =>
      lengths.map((length) => `${'中'.repeat(length - 1)}。`).join(''),
    );
    const lengths = splitTexts([createPage(1, [first, ...others].join('\n\n'))]).map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(longest);
  });

  test('repeat the last sentences of the passage before if they are short', () => {
    const long = Array.from({ length: 40 }, (_, i) => `Sentence ${i} ${'tells of the moon '.repeat(6)}.`);
    for (const text of [buildSentences(40), long.join(' ')]) {
      const [first = '', second = ''] = splitTexts([createPage(1, text)]);
      const repeated = Array.from({ length: second.length }, (_, i) => i).findLast((i) =>
        first.endsWith(second.slice(0, i)),
      );
      expect(repeated).toBeGreaterThan(40);
      expect(repeated).toBeLessThanOrEqual(150);
      expect(second).toMatch(/^Sentence/);
    }
  });

  test('end with a paragraph if possible', () => {
    const paragraphs = Array.from({ length: 20 }, (_, i) => buildSentences(5, i * 5));
    const texts = splitTexts([createPage(1, paragraphs.join('\n\n'))]);
    const endings = paragraphs.map((paragraph) => paragraph.slice(-60));
    expect(texts.filter((text) => !endings.includes(text.slice(-60)))).toEqual([]);
  });

  test('keep a heading with the text below it', () => {
    const words = (count: number) => `${'moon '.repeat(count)}mill.`;
    const section = fc.array(fc.integer({ min: 1, max: 75 }).map(words), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(section, { minLength: 1, maxLength: 8 }), (sections) => {
        const text = sections.map((paragraphs, i) => `Chapter ${i}\n\n${paragraphs.join(' ')}`).join('\n\n');
        expect(splitTexts([createPage(1, text)]).filter((one) => /Chapter \d+$/.test(one))).toEqual([]);
      }),
      { numRuns: getSampleSize(300) },
    );
  });

  test('do not end at a line break within a sentence', () => {
    const texts = splitTexts([createPage(1, buildSentences(100).replaceAll(' the ', '\nthe '))]);
    expect(texts.filter((text) => !text.endsWith('.'))).toEqual([]);
  });

  test('of a million short paragraphs take little time and memory', () => {
    const text = Array.from({ length: 900_000 }, (_, i) => `${i.toString(36).padStart(6, 'x')}.\n\n`).join('');
    const [before, memory] = [process.cpuUsage(), process.memoryUsage.rss()];
    expect(splitPassages([createPage(1, text)]).length).toBeGreaterThan(9_000);
    expect(cpuTimeSince(before)).toBeLessThan(8_000); // with a segmenter for each, 12,000
    expect(process.memoryUsage.rss() - memory).toBeLessThan(400_000_000); // 800 MB
  });

  test('of a sentence that thousands of pages continue take little time', () => {
    const before = process.cpuUsage();
    const pages = [
      createPage(1, 'ж '.repeat(2_000_000)),
      ...Array.from({ length: 2_000 }, (_, i) => createPage(i + 2, 'a')),
    ];
    expect(splitPassages(pages).every(({ page }) => page === 1)).toBe(true);
    expect(cpuTimeSince(before)).toBeLessThan(5_000); // 15,000 if each page is compared with the whole text
  });

  test('have the number of their page, and end with the page', () => {
    const passages = splitPassages([
      createPage(4, buildSentences(30)),
      createPage(9, buildSentences(30, 30)),
      { number: null, text: 'The end.' },
    ]);
    for (const { page: number, text } of passages) {
      const pages = [...text.matchAll(/Sentence (\d+)/g)].map(([, n]) => (Number(n) < 30 ? 4 : 9));
      expect(new Set(pages)).toEqual(new Set(number === null ? [] : [number]));
    }
    expect(passages.at(-1)).toEqual({ page: null, text: 'The end.' });
  });

  test('continue on the next page only to complete a sentence', () => {
    const passages = splitPassages([
      createPage(1, 'It was cold, and'),
      createPage(2, 'she was trembling. Then she fell.'),
    ]);
    expect(passages).toEqual([
      { page: 1, text: 'It was cold, and\nshe was trembling.' },
      { page: 2, text: 'Then she fell.' },
    ]);
    expect(splitTexts([createPage(1, 'It was cold.'), createPage(2, 'e-mail us. Or call.')])).toEqual([
      'It was cold.',
      'e-mail us. Or call.',
    ]);
    expect(splitTexts([createPage(1, '天气很冷，'), createPage(2, '她在发抖。后来她摔倒了。')])).toEqual([
      '天气很冷，\n她在发抖。',
      '后来她摔倒了。',
    ]);
  });

  test.each([
    ['words', 'trembles '],
    ['characters', '👩‍👩‍👧‍👦'],
  ])('take whole %s of a long sentence from the next page', (_, part) => {
    const [first = ''] = splitTexts([createPage(1, 'It was cold, and'), createPage(2, `so${part.repeat(100)}`)]);
    expect(first.length).toBeGreaterThan(300);
    expect(first.replace('It was cold, and\nso', '').replaceAll(part.trim(), '').trim()).toBe('');
  });

  test.each([
    ['English', 'Mr. Brown came home. He was late! Why? Nobody knows. '],
    ['Chinese', '本诊所早上八点半开门。下午六点关门！周末休息吗？'],
    ['Japanese', '図書館は九時に開きます。月曜日は休みです！'],
    ['Arabic', 'تفتح المكتبة في التاسعة. هل هي مفتوحة اليوم؟ نعم. '],
    ['Hindi', 'पुस्तकालय नौ बजे खुलता है। सोमवार को बंद रहता है। '],
  ])('end with a sentence in %s', (_, sentence) => {
    const texts = splitTexts([createPage(1, sentence.repeat(100))]);
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.every((text) => /[.!?。！？؟।]$/u.test(text))).toBe(true);
  });

  test('of an endless word are cut between whole characters', () => {
    const family = '👩‍👩‍👧‍👦';
    const texts = splitTexts([createPage(1, family.repeat(2_000))]);
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.every((text) => text.length % family.length === 0)).toBe(true);
    const endless = '👩\u200d'.repeat(2_000); // a single visible character, so that it must be cut between its parts
    expect(splitTexts([createPage(1, endless)]).every((text) => text.isWellFormed())).toBe(true);
  });

  test('do not exist for blank pages', () => {
    expect(splitPassages([])).toEqual([]);
    expect(splitPassages([createPage(1, ''), createPage(2, ' \n\t ')])).toEqual([]);
  });

  test('of ten million characters in one line are split without a stack overflow', () => {
    for (const text of [`e${'\u0301'.repeat(1e7)}`, `!${'”'.repeat(1e7)}`, `x${' \n'.repeat(5e6)}y`]) {
      expect(splitTexts([createPage(1, text)]).length).toBeGreaterThan(0);
    }
  });
});
