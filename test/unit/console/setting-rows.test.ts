import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  faultOf,
  kindOf,
  rowsOf,
  settingOf,
  settingsOf,
  textOfSetting,
} from '../../../console/src/assistants/setting-rows.ts';

/** As they come out of an answer: whole numbers are no larger than the service takes them. */
const anyValue = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
  .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value));

describe('the value of a row', () => {
  it.each([
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
  ])('%s is %j, of kind %s', (text, value, kind) => {
    expect(settingOf(text)).toEqual(value);
    expect(kindOf(text)).toBe(kind);
  });

  it('survives being written and read', () => {
    fc.assert(
      fc.property(fc.oneof(anyValue, fc.string(), fc.stringMatching(/^\s*[-\d.e"]*\s*$/)), (value) => {
        expect(settingOf(textOfSetting(value))).toEqual(value);
      }),
    );
  });
});

describe('the rows of a part', () => {
  it('are its own settings again, without those that the form has', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), anyValue), (settings) => {
        expect(settingsOf(rowsOf({ ...settings, language: 'en' }, ['language']))).toEqual(
          Object.fromEntries(Object.entries(settings).filter(([key]) => key !== 'language')),
        );
      }),
    );
  });

  it('leave out a row that has no name yet', () => {
    expect(settingsOf([{ key: '', text: '1' }])).toEqual({});
  });

  it.each([
    [['speed', '2'], 'taken'],
    [['language', 'de'], 'taken'],
    [['', '1'], 'nameless'],
    [['', ''], undefined],
    [['pace', ''], undefined],
    [['style', 'null'], 'null'],
    [['kept', 'null'], undefined],
  ])('tell what is wrong with %j: %s', ([key = '', text = ''], fault) => {
    const rows = [
      { key: 'speed', text: '1' },
      { key, text },
    ];
    expect(faultOf(rows, 1, ['language'], { kept: null })).toBe(fault);
  });
});
