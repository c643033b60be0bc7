import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { termOf, wordsOf } from '../../../shared/search/words.ts';
import { sampleSize } from '../../support/sample.ts';

const termsOf = (text: string) => wordsOf(text).map(termOf);

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
  ])('of %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test('join the digits of a number', () => {
    expect(wordsOf('$3,650 or 3.650 or 3’650')).toEqual(['3650', 'or', '3650', 'or', '3650']);
    expect(wordsOf('1,234.56, 1,2, 1,2345, 2010, 2011')).toEqual(['1234', '56', '1', '2', '1', '2345', '2010', '2011']);
  });

  test('are alike with and without endings, capitals and accents', () => {
    expect(termsOf('Exemptions MULTIPLYING')).toEqual(termsOf('exemption multiply'));
    expect(termsOf('Réservé, Äpfel, Straße, Άνοιξη, كَتَبَ')).toEqual(termsOf('reserve apfel strasse ανοιξη كتب'));
  });

  test('keep the vowels of scripts that write them as marks', () => {
    expect(termsOf('कि')).not.toEqual(termsOf('के'));
    expect(termsOf('กิน')).not.toEqual(termsOf('กัน'));
  });

  test('are the same whether a text is composed or not, and in capitals or not', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(wordsOf(text.normalize('NFD'))).toEqual(wordsOf(text));
      }),
    );
  });

  test('of anything have no space and no punctuation, and end after 40 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        for (const term of termsOf(text)) {
          expect(term.length).toBeLessThanOrEqual(120);
          expect(term).not.toMatch(/^$|[\s\p{P}\p{C}]/u);
        }
      }),
      { numRuns: sampleSize(500) },
    );
    expect(wordsOf('កខ។ ก๏ข')).toEqual(['កខ', 'ก', 'ข']);
    for (const letter of ['a', 'é', 'ก']) expect(wordsOf(letter.repeat(10_000))[0]?.length).toBeLessThanOrEqual(40);
  });
});
