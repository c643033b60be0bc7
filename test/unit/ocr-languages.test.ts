import { expect, test } from 'vitest';
import { Invalid } from '../../shared/errors.ts';

process.env.OCR_LANGUAGES = 'en,ko';
const { toChosenLanguages, toOcrLanguages } = await import('../../shared/store/knowledge-bases/ocr-languages.ts');

test('languages are chosen once each, in their order, or not at all', () => {
  expect(toChosenLanguages(['ko', ' en', 'ko'])).toEqual(['ko', 'en']);
  expect(toChosenLanguages([])).toBeUndefined();
  expect(toChosenLanguages(undefined)).toBeUndefined();
});

test('a language that the deployment does not read is refused, with those it does', () => {
  expect(() => toChosenLanguages(['en', 'tlh'])).toThrow(Invalid);
  try {
    toChosenLanguages(['tlh']);
  } catch (error) {
    const { detail } = error as Invalid;
    expect(detail).toMatchObject([{ loc: ['body', 'languages'], msg: expect.stringContaining('read in en, ko here') }]);
  }
});

test('a document is read without the languages that were removed since', () => {
  expect(toOcrLanguages(['de', 'ko'] as never)).toEqual({ chosen: ['ko'], available: ['en', 'ko'] });
  expect(toOcrLanguages(['de'] as never)).toEqual({ chosen: undefined, available: ['en', 'ko'] });
});
