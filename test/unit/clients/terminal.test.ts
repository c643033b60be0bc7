import { expect, test } from 'vitest';
import { count, toJson, toLine } from '../../../clients/cli/terminal.ts';
import { toPrintable, toPrintableLine } from '../../../shared/domain/printable.ts';

test('shows what a terminal would obey', () => {
  expect(toPrintable('a\u001b[2Jb\u009b\u0007\u202ec\ud800')).toBe('a\\u{1b}[2Jb\\u{9b}\\u{7}\\u{202e}c\ufffd');
  expect(toPrintable('one\r\ntwo\tthree\n')).toBe('one\ntwo\tthree\n');
  expect(toPrintable('over\rwrite')).toBe('over\\u{d}write');
  expect(toPrintable('日本 🎉 é')).toBe('日本 🎉 é');
});

test('escapes line breaks within a line', () => {
  expect(toPrintableLine('a\n\tb\r\nc\u2028\u001b 日本')).toBe('a\\u{a}\\u{9}b\\u{d}\\u{a}c\\u{2028}\\u{1b} 日本');
});

test('writes a text in one line', () => {
  expect(toLine(' one\n\ttwo \u001b ')).toBe('one two \\u{1b}');
});

test('writes JSON that a program can read and a terminal does not obey', () => {
  const value = { text: 'a\u200fb\u009b\u007f\u2028 🎉 \ud800 \u001b\n' };
  const json = toJson(value);
  expect(json).toContain('a\\u200fb\\u009b\\u007f\\u2028 🎉');
  expect(toPrintable(json)).toBe(json);
  expect(JSON.parse(json)).toEqual(value);
});

test('counts with the right noun', () => {
  expect([0, 1, 2].map((number) => count(number, 'assistant'))).toEqual([
    '0 assistants',
    '1 assistant',
    '2 assistants',
  ]);
});
