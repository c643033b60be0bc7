import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSameLanguage } from '../../shared/domain/language.ts';

const code = fc.stringMatching(/^[A-Za-z0-9]{1,8}([-_][A-Za-z0-9]{1,8}){0,3}$/);

describe('two language codes are the same language', () => {
  test.each([
    ['en', 'en'],
    ['en', 'en-GB'],
    ['en_US', 'en-GB'],
    ['EN', 'en-us'],
    ['cmn-Hans-CN', 'zh'],
    ['zh_TW', 'cmn-Hans-CN'],
    ['iw', 'he-IL'],
    ['pt-BR', 'pt-PT'],
    ['fil', 'tl'],
  ])('if their canonical primary language is the same: %s and %s', (one, other) => {
    expect(isSameLanguage(one, other)).toBe(true);
  });

  test.each([
    ['multi', 'en'],
    ['de', 'auto'],
    ['Multi', 'AUTO'],
    ['auto', 'klingon1234'],
  ])('if one of them means any language: %s and %s', (one, other) => {
    expect(isSameLanguage(one, other)).toBe(true);
  });

  test('if they are equal, even if they are not BCP 47', () => {
    fc.assert(fc.property(code, (one) => isSameLanguage(one, one)));
  });

  test.each([
    ['en', 'de'],
    ['en-DE', 'de-DE'],
    ['zh', 'yue'],
    ['es', 'est'],
    ['a1_b', 'a2_b'],
  ])('but not if their primary language differs: %s and %s', (one, other) => {
    expect(isSameLanguage(one, other)).toBe(false);
  });

  test('in either order', () => {
    fc.assert(fc.property(code, code, (one, other) => isSameLanguage(one, other) === isSameLanguage(other, one)));
  });
});
