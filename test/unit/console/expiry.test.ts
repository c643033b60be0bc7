import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toExpiry } from '../../../console/src/keys/expiry.ts';

const now = new Date('2026-11-21T12:00:00Z');
const toDay = (moment: Date) =>
  [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

test.each([
  ['never', null],
  ['month', '2026-12-21T12:00:00.000Z'],
  ['quarter', '2027-02-19T12:00:00.000Z'],
  ['year', '2027-11-21T12:00:00.000Z'],
] as const)('computes the expiry for the choice "%s"', (choice, end) => {
  expect(toExpiry(choice, '', now)).toBe(end);
});

test("expires at the end of the chosen day in the user's time zone", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 36_500 }), (days) => {
      const chosen = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
      const end = new Date(toExpiry('date', toDay(chosen), now) ?? '');
      expect(end.getTime()).toBeGreaterThan(now.getTime());
      expect(toDay(end)).toBe(toDay(chosen));
      expect(toDay(new Date(end.getTime() + 1))).not.toBe(toDay(chosen));
    }),
  );
});

test('rejects a past day', () => {
  expect(toExpiry('date', '2026-11-19', now)).toBeUndefined();
});

test('rejects anything but a day', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const end = toExpiry('date', text, now);
      expect(end === undefined || Date.parse(String(end)) > now.getTime()).toBe(true);
    }),
  );
  expect(toExpiry('date', '', now)).toBeUndefined();
});
