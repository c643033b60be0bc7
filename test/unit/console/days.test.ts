import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupByDay, toDay } from '../../../console/src/calls/days.ts';

const buildCall = (created_at: string, started_at: string | null = null) => ({ created_at, started_at });

test('splits days by time zone', () => {
  const calls = [
    buildCall('2026-11-21T23:30:00.000Z'),
    buildCall('2026-11-21T22:30:00.000Z'),
    buildCall('2026-11-20T23:30:00.000Z'),
  ];
  expect(groupByDay(calls, 'Europe/Berlin').map(({ date, items }) => [date, items.length])).toEqual([
    ['2026-11-22', 1],
    ['2026-11-21', 2],
  ]);
  expect(groupByDay(calls, 'UTC').map(({ date }) => date)).toEqual(['2026-11-21', '2026-11-20']);
});

test('groups a call by its start, unless the start is impossible', () => {
  const saved = '2026-11-22T10:00:00.000Z';
  const getDay = (started_at: string) => groupByDay([buildCall(saved, started_at)], 'UTC')[0]?.date;
  expect(getDay('2026-11-19T10:00:00.000Z')).toBe('2026-11-19');
  expect(getDay('2026-12-19T10:00:00.000Z')).toBe('2026-11-22');
  expect(getDay('1970-01-01T00:00:07.000Z')).toBe('2026-11-22');
});

test('keeps all calls in order, and repeats no neighbouring day', () => {
  const moments = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(fc.array(moments), (dates) => {
      const items = dates.map((date) => buildCall(date.toISOString()));
      const days = groupByDay(items, 'America/New_York');
      expect(days.flatMap((day) => day.items)).toEqual(items);
      expect(days.every(({ date }, i) => date !== days[i + 1]?.date)).toBe(true);
    }),
  );
});

test('formats a day like a date field', () => {
  expect(toDay('2026-03-05T12:00:00.000Z', 'UTC')).toBe('2026-03-05');
});
