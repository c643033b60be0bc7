import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameLanguage } from '../../shared/domain/language.ts';

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
  ])('when their primary language is the same once canonical: %s and %s', (one, other) => {
    expect(sameLanguage(one, other)).toBe(true);
  });

  test.each([
    ['multi', 'en'],
    ['de', 'auto'],
    ['Multi', 'AUTO'],
    ['auto', 'klingon1234'],
  ])('when one of them is any language: %s and %s', (one, other) => {
    expect(sameLanguage(one, other)).toBe(true);
  });

  test('when they are the same code of a vendor, even one that is no BCP 47', () => {
    fc.assert(fc.property(code, (one) => sameLanguage(one, one)));
  });

  test.each([
    ['en', 'de'],
    ['en-DE', 'de-DE'],
    ['zh', 'yue'],
    ['es', 'est'],
    ['a1_b', 'a2_b'],
  ])('but not when it differs: %s and %s', (one, other) => {
    expect(sameLanguage(one, other)).toBe(false);
  });

  test('whichever comes first', () => {
    fc.assert(fc.property(code, code, (one, other) => sameLanguage(one, other) === sameLanguage(other, one)));
  });
});
