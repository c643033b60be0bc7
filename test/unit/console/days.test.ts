import fc from 'fast-check';
import { expect, it } from 'vitest';
import { byDay, dayOf } from '../../../console/src/calls/days.ts';

const at = (created_at: string) => ({ created_at });

it('parts days where the reader is', () => {
  const calls = [at('2026-11-21T23:30:00.000Z'), at('2026-11-21T22:30:00.000Z'), at('2026-11-20T23:30:00.000Z')];
  expect(byDay(calls, 'Europe/Berlin').map(({ date, items }) => [date, items.length])).toEqual([
    ['2026-11-22', 1],
    ['2026-11-21', 2],
  ]);
  expect(byDay(calls, 'UTC').map(({ date }) => date)).toEqual(['2026-11-21', '2026-11-20']);
});

it('keeps all, in order, and names neighbouring days but once', () => {
  const moments = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(fc.array(moments), (dates) => {
      const items = dates.map((date) => at(date.toISOString()));
      const days = byDay(items, 'America/New_York');
      expect(days.flatMap((day) => day.items)).toEqual(items);
      expect(days.every(({ date }, i) => date !== days[i + 1]?.date)).toBe(true);
    }),
  );
});

it('writes a day as a date field does', () => {
  expect(dayOf('2026-03-05T12:00:00.000Z', 'UTC')).toBe('2026-03-05');
});
