import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findRowFault,
  formatSetting,
  getKind,
  parseSetting,
  toRows,
  toSettings,
} from '../../../console/src/assistants/draft/setting-rows.ts';

/** Values as a response has them: integers are in the range that the API accepts. */
const anyValue = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
  .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value));

describe('the value of a row', () => {
  test.each([
    ['0.4', 0.4, 'number'],
    ['-3', -3, 'number'],
    ['true', true, 'boolean'],
    ['null', null, 'null'],
    ['fast', 'fast', 'text'],
    ['"0.4"', '0.4', 'text'],
    ['', '', 'text'],
    ['007', '007', 'text'],
    ['["a"]', ['a'], 'json'],
    ['{"a": 1', '{"a": 1', 'text'],
    ['12345678901234567890', '12345678901234567890', 'text'],
    ['1e400', '1e400', 'text'],
  ])('parses %s as %j, of type %s', (text, value, kind) => {
    expect(parseSetting(text)).toEqual(value);
    expect(getKind(text)).toBe(kind);
  });

  test('survives formatting and parsing', () => {
    fc.assert(
      fc.property(fc.oneof(anyValue, fc.string(), fc.stringMatching(/^\s*[-\d.e"]*\s*$/)), (value) => {
        expect(parseSetting(formatSetting(value))).toEqual(value);
      }),
    );
  });
});

describe('the rows of a part', () => {
  test('convert back to its settings, without those in form fields', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), anyValue), (settings) => {
        expect(toSettings(toRows({ ...settings, language: 'en' }, ['language']))).toEqual(
          Object.fromEntries(Object.entries(settings).filter(([key]) => key !== 'language')),
        );
      }),
    );
  });

  test('skip a row without a name', () => {
    expect(toSettings([{ key: '', text: '1' }])).toEqual({});
  });

  test.each([
    [['speed', '2'], 'taken'],
    [['language', 'de'], 'taken'],
    [['', '1'], 'nameless'],
    [['', ''], undefined],
    [['pace', ''], undefined],
    [['style', 'null'], 'null'],
    [['kept', 'null'], undefined],
  ])('report the fault of %j: %s', ([key = '', text = ''], fault) => {
    const rows = [
      { key: 'speed', text: '1' },
      { key, text },
    ];
    expect(findRowFault(rows, 1, ['language'], { kept: null })).toBe(fault);
  });
});
