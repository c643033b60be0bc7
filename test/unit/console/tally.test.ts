import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Session } from '../../../console/src/api/types.ts';
import { getAssistantNames } from '../../../console/src/calls/assistant-names.ts';
import { toDay } from '../../../console/src/calls/days.ts';
import { listLastDays } from '../../../console/src/overview/days.ts';
import { type Count, others, tallyCalls } from '../../../console/src/overview/tally.ts';

const now = new Date(2026, 10, 21, 12);
const days = listLastDays(7, now);

const buildCall = (assistant_id: string, fields: Partial<Session> = {}) =>
  ({
    assistant_id,
    assistant_name: assistant_id.toUpperCase(),
    session_duration: 60,
    started_at: null,
    created_at: now.toISOString(),
    ...fields,
  }) as Session;

const sum = (counts: readonly Count[]) => {
  const of = (field: keyof Count) => counts.reduce((total, count) => total + count[field], 0);
  return { calls: of('calls'), seconds: of('seconds'), timed: of('timed') };
};

test("counts calls by the day they started in the user's time zone", () => {
  const late = buildCall('a', { started_at: new Date(2026, 10, 20, 23, 59, 59).toISOString() });
  const { days: counted } = tallyCalls([buildCall('a'), late], days, 6);
  expect(counted.map(({ byShare }) => byShare.get('a')?.calls ?? 0)).toEqual([0, 0, 0, 0, 0, 1, 1]);
});

test('counts no minutes for a call of unknown length', () => {
  expect(tallyCalls([buildCall('a'), buildCall('a', { session_duration: null })], days, 6).total).toEqual({
    calls: 2,
    seconds: 60,
    timed: 1,
  });
});

test('skips calls before the period', () => {
  const old = buildCall('a', { started_at: new Date(2026, 10, 1).toISOString() });
  expect(tallyCalls([old], days, 6)).toMatchObject({ total: { calls: 0 }, shares: [] });
});

test('groups the assistants with the fewest calls', () => {
  const { shares } = tallyCalls(
    ['c', 'a', 'a', 'a', 'b', 'b'].map((id) => buildCall(id)),
    days,
    2,
  );
  expect(shares.map(({ id, calls }) => [id, calls])).toEqual([
    ['a', 3],
    [others, 3],
  ]);
});

test('groups all assistants if that group would have most calls, and lists each separately', () => {
  const ids = Array.from({ length: 37 }, (_, index) => `assistant-${index}`);
  const {
    shares,
    assistants,
    days: counted,
  } = tallyCalls([buildCall('a'), ...ids.map((id) => buildCall(id))], days, 6);
  expect(shares.map(({ id, calls }) => [id, calls])).toEqual([[others, 38]]);
  expect(counted.at(-1)?.byShare.get(others)?.calls).toBe(38);
  expect(assistants.map(({ id }) => id)).toEqual(['a', ...ids]);
});

test('adds up by day, by share and in total, with a limited number of shares', () => {
  const moments = fc.integer({ min: -9 * 86_400, max: 0 }).map((s) => new Date(now.getTime() + s * 1000).toISOString());
  const calls = fc.record({
    assistant_id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    session_duration: fc.option(fc.integer({ min: 0, max: 9000 })),
    started_at: fc.option(moments),
    created_at: moments,
  });
  fc.assert(
    fc.property(fc.array(calls), fc.integer({ min: 1, max: 6 }), (sessions, most) => {
      const counted = tallyCalls(sessions as Session[], days, most);
      const inAll = sum([counted.total]);
      expect(sum(counted.shares)).toEqual(inAll);
      expect(sum(counted.days.flatMap(({ byShare }) => [...byShare.values()]))).toEqual(inAll);
      expect(counted.shares.length).toBeLessThanOrEqual(most);
      expect(counted.days.map(({ day }) => day)).toEqual(days);
    }),
  );
});

test('lists each day once, in order, up to today, in any calendar', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(2000, 0), max: new Date(2100, 0), noInvalidDate: true }), (moment) => {
      const last = listLastDays(90, moment);
      expect(new Set(last).size).toBe(90);
      expect(last).toEqual(last.toSorted());
      expect(last.at(-1)).toBe(toDay(moment));
    }),
  );
});

test('names an assistant as in its newest call, or by the start of its id', () => {
  const sessions = [
    buildCall('a', { assistant_name: null }),
    buildCall('a', { assistant_name: 'New' }),
    buildCall('a'),
    buildCall('b'),
  ];
  expect([...getAssistantNames([...sessions, buildCall('0123456789', { assistant_name: null })])]).toEqual([
    ['a', 'New'],
    ['b', 'B'],
    ['0123456789', 'Assistant 01234567'],
  ]);
});
