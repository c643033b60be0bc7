import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Log } from '../../../console/src/api/types.ts';
import { findTurns, formatValue, markMatches, toSearchPattern } from '../../../console/src/calls/transcript/search.ts';
import { buildTurns } from '../../../console/src/calls/transcript/turns.ts';
import { toLogs } from '../../../shared/domain/transcript.ts';

const listMatches = (text: string, typed: string) =>
  markMatches(text, toSearchPattern(typed))
    .filter(({ isMatch }) => isMatch)
    .map((piece) => piece.text);

describe('a search in the transcript', () => {
  test('ignores case, and treats every character literally', () => {
    expect(listMatches('Half past three. HALF!', 'half')).toEqual(['Half', 'HALF']);
    expect(listMatches('a.b a-b (a|b)', 'a.b')).toEqual(['a.b']);
    expect(listMatches('a.b a-b (a|b)', '(a|b)')).toEqual(['(a|b)']);
  });

  test('matches nothing if the text is blank', () => {
    expect(toSearchPattern('  ')).toBeUndefined();
    expect(markMatches('text', undefined)).toEqual([{ text: 'text', isMatch: false }]);
  });

  test('loses no text, and highlights the match', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, typed, after) => {
        const text = before + typed + after;
        const pieces = markMatches(text, toSearchPattern(typed));
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        if (typed.trim() !== '') expect(pieces.some(({ isMatch }) => isMatch)).toBe(true);
      }),
    );
  });
});

test('finds speech, names of tools, arguments and results', () => {
  const items = [
    { role: 'user', content: 'On Thursday' },
    { type: 'function_call', name: 'find_slots', call_id: 'c', arguments: '{"day":"thursday"}' },
    { type: 'function_call_output', call_id: 'c', output: '["14:00"]' },
  ];
  const turns = buildTurns(toLogs('01a1ffb5-32ba-7528-bc64-139a946a54bb', items, null) as Log[]);
  const findPlaces = (typed: string) => findTurns(turns, toSearchPattern(typed) ?? expect.fail());
  expect(findPlaces('thursday')).toEqual([0, 1]);
  expect(findPlaces('slots')).toEqual([1]);
  expect(findPlaces('14:00')).toEqual([1]);
  expect(findPlaces('friday')).toEqual([]);
});

test('formats JSON inside a string', () => {
  expect(formatValue('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(formatValue('12')).toBe('12');
  expect(formatValue('no JSON')).toBe('no JSON');
  expect(formatValue(undefined)).toBe('');
});
