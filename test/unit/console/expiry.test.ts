import fc from 'fast-check';
import { expect, it } from 'vitest';
import { endOf } from '../../../console/src/keys/expiry.ts';

const now = new Date('2026-11-21T12:00:00Z');
const dayAt = (moment: Date) =>
  [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

it.each([
  ['never', null],
  ['month', '2026-12-21T12:00:00.000Z'],
  ['quarter', '2027-02-19T12:00:00.000Z'],
  ['year', '2027-11-21T12:00:00.000Z'],
] as const)('%s', (choice, end) => {
  expect(endOf(choice, '', now)).toBe(end);
});

it('is good until the end of the chosen day, where the reader is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 36_500 }), (days) => {
      const chosen = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
      const end = new Date(endOf('date', dayAt(chosen), now) ?? '');
      expect(end.getTime()).toBeGreaterThan(now.getTime());
      expect(dayAt(end)).toBe(dayAt(chosen));
      expect(dayAt(new Date(end.getTime() + 1))).not.toBe(dayAt(chosen));
    }),
  );
});

it('takes no day that has passed', () => {
  expect(endOf('date', '2026-11-19', now)).toBeUndefined();
});

it('takes nothing else for a day', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const end = endOf('date', text, now);
      expect(end === undefined || Date.parse(String(end)) > now.getTime()).toBe(true);
    }),
  );
  expect(endOf('date', '', now)).toBeUndefined();
});
