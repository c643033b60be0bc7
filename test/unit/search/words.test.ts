import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toTerm } from '../../../shared/search/stems.ts';
import { splitWords } from '../../../shared/search/words.ts';
import { getSampleSize } from '../../support/sample.ts';

const toTerms = (text: string) => splitWords(text).map((word) => toTerm(word));

describe('words', () => {
  test.each([
    ["Granny's moon, the MOON", ['granny', 's', 'moon', 'the', 'moon']],
    ['_was_ e-mail: a@b.example', ['was', 'e', 'mail', 'a', 'b', 'example']],
    ['Straße, œuvre, naïve', ['straße', 'œuvre', 'naïve']],
    ['ＡＢＣ ﬁne ① ｶﾀｶﾅ', ['abc', 'fine', '1', 'カタ', 'タカ', 'カナ']],
    ['Привет, Мир', ['привет', 'мир']],
    ['مرحبا بالعالم', ['مرحبا', 'بالعالم']],
    ['नमस्ते दुनिया', ['नमस्ते', 'दुनिया']],
    ['几点开门？', ['几点', '点开', '开门']],
    ['図書館は', ['図書', '書館', '館は']],
    ['도서관', ['도서', '서관']],
    ['门', ['门']],
    ['ภาษาไทย', ['ภาษา', 'ไทย']],
    ['Room门12', ['room', '门', '12']],
    ['', []],
    [' … — !?', []],
  ])('are split from %j', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  test('have the digits of a number joined', () => {
    expect(splitWords('$3,650 or 3.650 or 3’650')).toEqual(['3650', 'or', '3650', 'or', '3650']);
    expect(splitWords('1,234.56, 1,2, 1,2345, 2010, 2011')).toEqual([
      '1234',
      '56',
      '1',
      '2',
      '1',
      '2345',
      '2010',
      '2011',
    ]);
  });

  test('have the same term with and without endings, capitals and accents', () => {
    expect(toTerms('Exemptions MULTIPLYING')).toEqual(toTerms('exemption multiply'));
    expect(toTerms('Réservé, Äpfel, Straße, Άνοιξη, كَتَبَ')).toEqual(toTerms('reserve apfel strasse ανοιξη كتب'));
  });

  test('keep vowels that a script writes as marks', () => {
    expect(toTerms('कि')).not.toEqual(toTerms('के'));
    expect(toTerms('กิน')).not.toEqual(toTerms('กัน'));
  });

  test('are the same for composed and decomposed text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(splitWords(text.normalize('NFD'))).toEqual(splitWords(text));
      }),
    );
  });

  test('have no space and no punctuation, and at most 40 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        for (const term of toTerms(text)) {
          expect(term.length).toBeLessThanOrEqual(120);
          expect(term).not.toMatch(/^$|[\s\p{P}\p{C}]/u);
        }
      }),
      { numRuns: getSampleSize(500) },
    );
    expect(splitWords('កខ។ ก๏ข')).toEqual(['កខ', 'ก', 'ข']);
    for (const letter of ['a', 'é', 'ก']) expect(splitWords(letter.repeat(10_000))[0]?.length).toBeLessThanOrEqual(40);
  });
});
