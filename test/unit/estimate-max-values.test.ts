import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkMaxValues, estimateMaxValues } from '../../shared/domain/estimate-max-values.ts';
import type { TooLarge } from '../../shared/errors.ts';
import { cpuTimeSince } from '../support/cpu-time.ts';

/** Counts the values in parsed JSON, with those in them. */
const countValues = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((count: number, inner) => count + countValues(inner), 1)
    : 1;

it('counts at least as many values as a text has', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(estimateMaxValues(json)).toBeGreaterThanOrEqual(countValues(JSON.parse(json)));
    }),
  );
});

it('refuses more values than a limit, and says how they are counted', () => {
  const check = (json: string, max: number) => {
    try {
      return checkMaxValues(json, max, 'A body');
    } catch (error) {
      return (error as TooLarge).detail[0]?.msg;
    }
  };
  const rule = 'JSON values (a key that is a number counts as nine)';
  expect(check('{"7":{"8":0}}', 15)).toBe(`A body may have at most 15 ${rule}`);
  const list = JSON.stringify(Array.from({ length: 1_001 }, () => 0));
  expect([check(list, 1_000), check(list, 1_002)]).toEqual([`A body may have at most 1,000 ${rule}`, undefined]);
});

it('takes little time and memory for millions of digits', () => {
  const before = process.cpuUsage();
  expect(estimateMaxValues(`["${'1'.repeat(9_000_000)}"]`)).toBe(2);
  expect(cpuTimeSince(before)).toBeLessThan(3_000);
});

it.each([
  ['{"34":0}', 11],
  ['{"34" \n:0}', 11],
  ['{"\\u0033\\u0034":0}', 11],
  ['{"0":0,"1":0}', 21],
  ['{"a1":0,"1a":0,"-1":0,"":0}', 5],
  ['["34",34]', 3],
  ['["a, [b], {c}","\\","]', 3],
  ['["\\"34\\":0"]', 2],
])('counts a key that is a number as nine values: %s', (json, count) => {
  expect(estimateMaxValues(json)).toBe(count);
});
