import fc from 'fast-check';
import { expect, it } from 'vitest';
import { highlight } from '../../../console/src/knowledge/highlight.ts';

const marked = (text: string, query: string) =>
  highlight(text, query)
    .filter(({ isMarked }) => isMarked)
    .map(({ text }) => text);

it('marks words in whatever form the service finds them', () => {
  expect(marked('On Saturdays we open at nine. SATURDAY is short.', 'When do you open on saturday?')).toEqual([
    'Saturdays',
    'open',
    'SATURDAY',
  ]);
  expect(marked('Das Café öffnet um acht.', 'cafe offnet')).toEqual(['Café', 'öffnet']);
});

it('leaves out the commonest words, unless there are no others', () => {
  expect(marked('The price of it', 'what is the price of it')).toEqual(['price']);
  expect(marked('To be or not', 'to be')).toEqual(['To', 'be']);
});

it('marks words, not parts of them', () => {
  expect(marked('opening, reopened', 'open')).toEqual(['opening']);
});

it('finds words where no spaces part them', () => {
  expect(marked('予約をお願いします', '予約').join('')).toBe('予約');
});

it('loses and changes nothing of the text, markup included', () => {
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
