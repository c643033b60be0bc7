import fc from 'fast-check';
import { expect, test } from 'vitest';
import { highlight } from '../../../console/src/knowledge/highlight.ts';

const listMatches = (text: string, query: string) =>
  highlight(text, query)
    .filter(({ isMatch }) => isMatch)
    .map(({ text }) => text);

test('highlights all forms of a word that the API matches', () => {
  expect(listMatches('On Saturdays we open at nine. SATURDAY is short.', 'When do you open on saturday?')).toEqual([
    'Saturdays',
    'open',
    'SATURDAY',
  ]);
  expect(listMatches('Das Café öffnet um acht.', 'cafe offnet')).toEqual(['Café', 'öffnet']);
});

test('skips the most common words, unless there are no others', () => {
  expect(listMatches('The price of it', 'what is the price of it')).toEqual(['price']);
  expect(listMatches('To be or not', 'to be')).toEqual(['To', 'be']);
});

test('highlights whole words only', () => {
  expect(listMatches('opening, reopened', 'open')).toEqual(['opening']);
});

test('finds words in text without spaces', () => {
  expect(listMatches('予約をお願いします', '予約').join('')).toBe('予約');
});

test('changes nothing in the text, including markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, query) => {
      expect(
        highlight(text, query)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
