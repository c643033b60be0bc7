import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Log } from '../../../console/src/api/types.ts';
import { finding, found, marking, written } from '../../../console/src/calls/transcript/find.ts';
import { turnsOf } from '../../../console/src/calls/transcript/turns.ts';
import { shownLogs } from '../../../shared/domain/transcript.ts';

const marked = (text: string, typed: string) =>
  marking(text, finding(typed))
    .filter(({ isMarked }) => isMarked)
    .map((piece) => piece.text);

describe('marking', () => {
  it('is in any case, and takes every sign as it stands', () => {
    expect(marked('Half past three. HALF!', 'half')).toEqual(['Half', 'HALF']);
    expect(marked('a.b a-b (a|b)', 'a.b')).toEqual(['a.b']);
    expect(marked('a.b a-b (a|b)', '(a|b)')).toEqual(['(a|b)']);
  });

  it('is nothing where nothing is looked for', () => {
    expect(finding('  ')).toBeUndefined();
    expect(marking('text', undefined)).toEqual([{ text: 'text', isMarked: false }]);
  });

  it('loses nothing, and finds what is there', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, typed, after) => {
        const text = before + typed + after;
        const pieces = marking(text, finding(typed));
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        if (typed.trim() !== '') expect(pieces.some(({ isMarked }) => isMarked)).toBe(true);
      }),
    );
  });
});

it('finds what is said, tools by name, and what they are given and answer', () => {
  const items = [
    { role: 'user', content: 'On Thursday' },
    { type: 'function_call', name: 'find_slots', call_id: 'c', arguments: '{"day":"thursday"}' },
    { type: 'function_call_output', call_id: 'c', output: '["14:00"]' },
  ];
  const turns = turnsOf(shownLogs('01a1ffb5-32ba-7528-bc64-139a946a54bb', items, null) as Log[]);
  const places = (typed: string) => found(turns, finding(typed) ?? expect.fail());
  expect(places('thursday')).toEqual([0, 1]);
  expect(places('slots')).toEqual([1]);
  expect(places('14:00')).toEqual([1]);
  expect(places('friday')).toEqual([]);
});

it('writes JSON that came as a text as JSON', () => {
  expect(written('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(written('12')).toBe('12');
  expect(written('no JSON')).toBe('no JSON');
  expect(written(undefined)).toBe('');
});
