import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareTexts, skipUnchanged, type TextPart } from '../../../console/src/assistants/versions/text-parts.ts';

/** Writes parts as one text: [-removed-] {+added+}. */
const mark = (parts: readonly TextPart[]) =>
  parts.map(({ kind, text }) => ({ same: text, removed: `[-${text}-]`, added: `{+${text}+}` })[kind]).join('');

test('marks the words that differ', () => {
  expect(mark(compareTexts('Answer calls warmly and briefly.', 'Answer all calls warmly, in one sentence.'))).toBe(
    'Answer {+all +}calls warmly[- and briefly-]{+, in one sentence+}.',
  );
});

test('marks lines that were added or removed', () => {
  expect(mark(compareTexts('One.\nTwo.\nThree.\n', 'One.\nThree.\nFour.\n'))).toBe(
    'One.\n[-Two.\n-]Three.\n{+Four.\n+}',
  );
  expect(mark(compareTexts('One.', 'One.\nTwo is much longer than the line before it.'))).toBe(
    'One.{+\nTwo is much longer than the line before it.+}',
  );
});

test('shows texts with little in common one after the other', () => {
  expect(mark(compareTexts('You are a dentist.', 'Sell the finest cars of Stuttgart!'))).toBe(
    '[-You are a dentist.-]{+Sell the finest cars of Stuttgart!+}',
  );
});

test('marks words in scripts without spaces and from right to left', () => {
  expect(mark(compareTexts('أنت موظف استقبال في عيادة', 'أنت موظف استقبال في فندق'))).toBe(
    'أنت موظف استقبال في [-عيادة-]{+فندق+}',
  );
  expect(mark(compareTexts('您是诊所的前台', '您是酒店的前台'))).toBe('您是[-诊所-]{+酒店+}的前台');
});

test('loses nothing of either text, splits no character, and leaves equal texts alone', () => {
  const unit = fc.constantFrom('a', 'b', ' ', '\n', 'word', '😀', '👩‍👧', 'ä', 'ש');
  const anyText = fc.array(unit, { maxLength: 40 }).map((units) => units.join(''));
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      const parts = compareTexts(before, after);
      const join = (kind: string) =>
        parts
          .filter((part) => part.kind === 'same' || part.kind === kind)
          .map(({ text }) => text)
          .join('');
      expect([join('removed'), join('added')]).toEqual([before, after]);
      expect(parts.every(({ text }) => text !== '' && text.isWellFormed())).toBe(true);
      expect(compareTexts(before, before).every(({ kind }) => kind === 'same')).toBe(true);
    }),
  );
});

test('compares two long prompts that have nothing in common in bounded time', () => {
  const build = (word: string) => Array.from({ length: 3_000 }, (_, line) => `${word} ${line} ${word}`).join('\n');
  const startedAt = performance.now();
  const parts = compareTexts(build('one'), build('other'));
  expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added']);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('leaves out lines far from a change, and says how many', () => {
  const lines = (count: number, word: string) => Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join('');
  const parts = compareTexts(`${lines(9, 'a')}old\n${lines(9, 'b')}`, `${lines(9, 'a')}new\n${lines(9, 'b')}`);
  expect(skipUnchanged(parts)).toEqual([
    { kind: 'skipped', lines: 7 },
    { kind: 'same', text: 'a 7\na 8\n' },
    { kind: 'removed', text: 'old\n' },
    { kind: 'added', text: 'new\n' },
    { kind: 'same', text: 'b 0\nb 1\n' },
    { kind: 'skipped', lines: 7 },
  ]);
  expect(skipUnchanged([{ kind: 'same', text: 'a\nb\n' }])).toHaveLength(1);
});
