import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PageText, passagesOf } from '../../../shared/search/passages.ts';
import { sampleSize } from '../../support/sample.ts';

const longest = 1_200;

/** Numbered sentences, none of which is in another. */
const sentences = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => `Sentence ${from + i} tells of the moon, the marsh and the mill.`).join(' ');

const page = (number: number, text: string): PageText => ({ number, text });
const textsOf = (pages: PageText[]) => passagesOf(pages).map(({ text }) => text);
const unspaced = (text: string) => text.replaceAll(/\s/gu, '');

/** Whether passages, taken in order, hold all of a text: each begins within or right after what those before it held. */
function covers(passages: string[], text: string): boolean {
  const whole = unspaced(text);
  let reached = 0;
  for (const passage of passages.map(unspaced)) {
    const at = whole.lastIndexOf(passage, reached);
    if (at < 0) return false;
    reached = Math.max(reached, at + passage.length);
  }
  return reached === whole.length;
}

const someText = fc.oneof(
  { weight: 4, arbitrary: fc.nat(60).map((count) => sentences(count)) },
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
  test('of any pages are whole characters, neither empty nor too long, and lose nothing', () => {
    const pages = fc.array(fc.record({ number: fc.option(fc.integer({ min: 1, max: 5_000 })), text: someText }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(pages, (given) => {
        const texts = textsOf(given);
        for (const text of texts) {
          expect(text.length).toBeLessThanOrEqual(longest);
          expect(text.trim()).not.toBe('');
          expect(text.isWellFormed()).toBe(true);
        }
        expect(covers(texts, given.map(({ text }) => text.toWellFormed()).join('\n'))).toBe(true);
      }),
      { numRuns: sampleSize(500) },
    );
  });

  test('are of about 800 to 1,200 characters and even, where the text allows', () => {
    const lengths = textsOf([page(1, sentences(200))]).map(({ length }) => length);
    expect(Math.min(...lengths)).toBeGreaterThan(600);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(longest);
  });

  test('repeat the last sentences of the one before, where they are short', () => {
    const long = Array.from({ length: 40 }, (_, i) => `Sentence ${i} ${'tells of the moon '.repeat(6)}.`);
    for (const text of [sentences(40), long.join(' ')]) {
      const [first = '', second = ''] = textsOf([page(1, text)]);
      const repeated = Array.from({ length: second.length }, (_, i) => i).findLast((i) =>
        first.endsWith(second.slice(0, i)),
      );
      expect(repeated).toBeGreaterThan(40);
      expect(repeated).toBeLessThanOrEqual(150);
      expect(second).toMatch(/^Sentence/);
    }
  });

  test('end where a paragraph ends rather than within one', () => {
    const paragraphs = Array.from({ length: 20 }, (_, i) => sentences(5, i * 5));
    const texts = textsOf([page(1, paragraphs.join('\n\n'))]);
    const lasts = paragraphs.map((paragraph) => paragraph.slice(-60));
    expect(texts.filter((text) => !lasts.includes(text.slice(-60)))).toEqual([]);
  });

  test('keep a heading with what follows it', () => {
    const words = (count: number) => `${'moon '.repeat(count)}mill.`;
    const section = fc.array(fc.integer({ min: 1, max: 75 }).map(words), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(section, { minLength: 1, maxLength: 8 }), (sections) => {
        const text = sections.map((told, i) => `Chapter ${i}\n\n${told.join(' ')}`).join('\n\n');
        expect(textsOf([page(1, text)]).filter((one) => /Chapter \d+$/.test(one))).toEqual([]);
      }),
      { numRuns: sampleSize(300) },
    );
  });

  test('do not end with the lines of a sentence', () => {
    const texts = textsOf([page(1, sentences(100).replaceAll(' the ', '\nthe '))]);
    expect(texts.filter((text) => !text.endsWith('.'))).toEqual([]);
  });

  test('say on which page they begin, and end with it', () => {
    const passages = passagesOf([
      page(4, sentences(30)),
      page(9, sentences(30, 30)),
      { number: null, text: 'The end.' },
    ]);
    for (const { page: number, text } of passages) {
      const told = [...text.matchAll(/Sentence (\d+)/g)].map(([, n]) => (Number(n) < 30 ? 4 : 9));
      expect(new Set(told)).toEqual(new Set(number === null ? [] : [number]));
    }
    expect(passages.at(-1)).toEqual({ page: null, text: 'The end.' });
  });

  test('go on to the next page for the rest of a sentence, and no further', () => {
    const passages = passagesOf([page(1, 'It was cold, and'), page(2, 'she was trembling. Then she fell.')]);
    expect(passages).toEqual([
      { page: 1, text: 'It was cold, and\nshe was trembling.' },
      { page: 2, text: 'Then she fell.' },
    ]);
    expect(textsOf([page(1, 'It was cold.'), page(2, 'e-mail us. Or call.')])).toEqual([
      'It was cold.',
      'e-mail us. Or call.',
    ]);
    expect(textsOf([page(1, '天气很冷，'), page(2, '她在发抖。后来她摔倒了。')])).toEqual([
      '天气很冷，\n她在发抖。',
      '后来她摔倒了。',
    ]);
  });

  test.each([
    ['English', 'Mr. Brown came home. He was late! Why? Nobody knows. '],
    ['Chinese', '本诊所早上八点半开门。下午六点关门！周末休息吗？'],
    ['Japanese', '図書館は九時に開きます。月曜日は休みです！'],
    ['Arabic', 'تفتح المكتبة في التاسعة. هل هي مفتوحة اليوم؟ نعم. '],
    ['Hindi', 'पुस्तकालय नौ बजे खुलता है। सोमवार को बंद रहता है। '],
  ])('end with a sentence in %s', (_, sentence) => {
    const texts = textsOf([page(1, sentence.repeat(100))]);
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.every((text) => /[.!?。！？؟।]$/u.test(text))).toBe(true);
  });

  test('of a word without end are cut between whole characters', () => {
    const family = '👩‍👩‍👧‍👦';
    const texts = textsOf([page(1, family.repeat(2_000))]);
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.every((text) => text.length % family.length === 0)).toBe(true);
    const endless = '👩\u200d'.repeat(2_000); // one character for the reader, so that it must be cut between its parts
    expect(textsOf([page(1, endless)]).every((text) => text.isWellFormed())).toBe(true);
  });

  test('of no text are none', () => {
    expect(passagesOf([])).toEqual([]);
    expect(passagesOf([page(1, ''), page(2, ' \n\t ')])).toEqual([]);
  });

  test('of ten million characters in one line are made without a stack of their size', () => {
    for (const text of [`e${'\u0301'.repeat(1e7)}`, `!${'”'.repeat(1e7)}`, `x${' \n'.repeat(5e6)}y`]) {
      expect(textsOf([page(1, text)]).length).toBeGreaterThan(0);
    }
  });
});
