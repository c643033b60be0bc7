import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  LanguageCode,
  Name,
  object,
  openObject,
  QueryInteger,
  Text,
  toEnvelope,
  Uuid,
} from '../../shared/schemas/common.ts';
import { getSampleSize } from '../support/sample.ts';

/** Returns the types of a value's faults. */
const listFaultTypes = (schema: v.GenericSchema, value: unknown) =>
  (v.safeParse(schema, value, { abortPipeEarly: true }).issues ?? []).map(({ type }) => type);

describe('a UUID', () => {
  test('is accepted in any case, and converted to lower case', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.func(fc.boolean()), (id, upper) => {
        const sent = [...id].map((c, i) => (upper(i) ? c.toUpperCase() : c)).join('');
        expect(v.parse(Uuid, sent)).toBe(id);
      }),
    );
  });

  test.each([
    '',
    'x',
    '019aa2c4-0000-7000-8000-00000000000',
    '019aa2c4-0000-7000-8000-0000000000000',
    '019aa2c4000070008000000000000000',
    '{019aa2c4-0000-7000-8000-000000000000}',
    '019aa2c4-0000-7000-8000-00000000000g',
    '019aa2c4-0000-7000-8000-000000000000\n',
    ' 019aa2c4-0000-7000-8000-000000000000',
  ])('is not %j', (sent) => {
    expect(listFaultTypes(Uuid, sent)).toEqual(['uuid_parsing']);
  });
});

describe('a language code', () => {
  test.each(['en', 'en_US', 'cmn-Hans-CN', 'multi', 'auto', 'EN', '12', 'x'.repeat(35), 'es-419', 'a-b_c-d'])(
    'is stored as sent: %s',
    (sent) => {
      expect(v.parse(LanguageCode, sent)).toBe(sent);
    },
  );

  test.each(['', ' ', 'en ', 'en-', '-en', 'en--US', 'en-_US', 'en US', 'dé', 'en\n', 'en/US', 'x'.repeat(36)])(
    'is not %j',
    (sent) => {
      expect(listFaultTypes(LanguageCode, sent)).toEqual(['language_code']);
    },
  );
});

describe('text', () => {
  test('is counted in code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (sent) => {
        const length = [...sent].length;
        expect(listFaultTypes(Text(6, 1), sent)).toEqual(
          length < 1 ? ['string_too_short'] : length > 6 ? ['string_too_long'] : [],
        );
      }),
      { numRuns: getSampleSize(500) },
    );
  });

  test('is stored as sent, including white space at its ends', () => {
    expect(v.parse(Text(10), ' a\n')).toBe(' a\n');
    expect(v.parse(Name(10), ' a\n')).toBe(' a\n');
  });

  test.each([null, 1, true, [], {}])('is not %j', (sent) => {
    expect(listFaultTypes(Text(10), sent)).toEqual(['string']);
    expect(listFaultTypes(Name(10), sent)).toEqual(['string']);
  });

  test('must not be blank if it is a name', () => {
    for (const blank of ['', ' ', '\t\r\n', '\u00a0\u2003\u3000'])
      expect(listFaultTypes(Name(10), blank)).toEqual(['string_blank']);
  });
});

describe('an object', () => {
  test.each([[[]], [[1]], ['{}'], [1], [null], [true]])('is not %j', (sent) => {
    expect(listFaultTypes(object({}), sent)).toEqual(['object']);
    expect(listFaultTypes(openObject({}), sent)).toEqual(['loose_object']);
  });

  test('keeps unknown keys only if it is open', () => {
    const schema = { a: v.number() };
    expect(v.parse(object(schema), { a: 1, b: 2 })).toEqual({ a: 1 });
    expect(v.parse(openObject(schema), { a: 1, b: 2 })).toEqual({ a: 1, b: 2 });
  });
});

describe('a whole number in a query', () => {
  const schema = QueryInteger(1, 1000);

  test('is parsed within its bounds', () => {
    for (const n of [1, 1000]) expect(v.parse(schema, String(n))).toBe(n);
    for (const n of [0, 1001]) expect(listFaultTypes(schema, String(n))).toHaveLength(1);
    fc.assert(
      fc.property(fc.integer({ min: -2_000, max: 2_000 }), (n) => {
        if (n < 1) expect(listFaultTypes(schema, String(n))).toEqual(['greater_than_equal']);
        else if (n > 1000) expect(listFaultTypes(schema, String(n))).toEqual(['less_than_equal']);
        else expect(v.parse(schema, String(n))).toBe(n);
      }),
    );
  });

  test.each(['', ' ', '1.0', '1e2', '0x10', 'ten', '1 ', '1,000', 'Infinity', '9'.repeat(16)])('is not %j', (sent) => {
    expect(listFaultTypes(schema, sent)).toEqual(['int_parsing']);
  });
});

test('the envelope has status, message and data', () => {
  expect(toEnvelope('Done', { id: 1 })).toEqual({ status: 'success', message: 'Done', data: { id: 1 } });
});
