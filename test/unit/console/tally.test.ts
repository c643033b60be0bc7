import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Session } from '../../../console/src/api/types.ts';
import { dayOf } from '../../../console/src/calls/days.ts';
import { namesOf } from '../../../console/src/calls/names.ts';
import { lastDays } from '../../../console/src/overview/days.ts';
import { type Count, others, tally } from '../../../console/src/overview/tally.ts';

const now = new Date(2026, 10, 21, 12);
const days = lastDays(7, now);

const call = (assistant_id: string, fields: Partial<Session> = {}) =>
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

it('counts by the day on which a call began, of the reader', () => {
  const late = call('a', { started_at: new Date(2026, 10, 20, 23, 59, 59).toISOString() });
  const { days: counted } = tally([call('a'), late], days, 6);
  expect(counted.map(({ byShare }) => byShare.get('a')?.calls ?? 0)).toEqual([0, 0, 0, 0, 0, 1, 1]);
});

it('knows of no minutes where a call has no length', () => {
  expect(tally([call('a'), call('a', { session_duration: null })], days, 6).total).toEqual({
    calls: 2,
    seconds: 60,
    timed: 1,
  });
});

it('leaves out what began before', () => {
  const old = call('a', { started_at: new Date(2026, 10, 1).toISOString() });
  expect(tally([old], days, 6)).toMatchObject({ total: { calls: 0 }, shares: [] });
});

it('puts those with the fewest calls together', () => {
  const { shares } = tally(
    ['c', 'a', 'a', 'a', 'b', 'b'].map((id) => call(id)),
    days,
    2,
  );
  expect(shares.map(({ id, calls }) => [id, calls])).toEqual([
    ['a', 3],
    [others, 3],
  ]);
});

it('counts all together where those with the fewest calls have more than half, and names each beside', () => {
  const ids = Array.from({ length: 37 }, (_, index) => `assistant-${index}`);
  const { shares, assistants, days: counted } = tally([call('a'), ...ids.map((id) => call(id))], days, 6);
  expect(shares.map(({ id, calls }) => [id, calls])).toEqual([[others, 38]]);
  expect(counted.at(-1)?.byShare.get(others)?.calls).toBe(38);
  expect(assistants.map(({ id }) => id)).toEqual(['a', ...ids]);
});

it('has the same sums by day, by share and in all, and never more shares than asked for', () => {
  const moments = fc.integer({ min: -9 * 86_400, max: 0 }).map((s) => new Date(now.getTime() + s * 1000).toISOString());
  const calls = fc.record({
    assistant_id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    session_duration: fc.option(fc.integer({ min: 0, max: 9000 })),
    started_at: fc.option(moments),
    created_at: moments,
  });
  fc.assert(
    fc.property(fc.array(calls), fc.integer({ min: 1, max: 6 }), (sessions, most) => {
      const counted = tally(sessions as Session[], days, most);
      const inAll = sum([counted.total]);
      expect(sum(counted.shares)).toEqual(inAll);
      expect(sum(counted.days.flatMap(({ byShare }) => [...byShare.values()]))).toEqual(inAll);
      expect(counted.shares.length).toBeLessThanOrEqual(most);
      expect(counted.days.map(({ day }) => day)).toEqual(days);
    }),
  );
});

it('has each day once, in order, up to today, whatever the calendar', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(2000, 0), max: new Date(2100, 0), noInvalidDate: true }), (moment) => {
      const last = lastDays(90, moment);
      expect(new Set(last).size).toBe(90);
      expect(last).toEqual(last.toSorted());
      expect(last.at(-1)).toBe(dayOf(moment));
    }),
  );
});

it('calls an assistant as it was called last, or by the beginning of its id', () => {
  const sessions = [call('a', { assistant_name: null }), call('a', { assistant_name: 'New' }), call('a'), call('b')];
  expect([...namesOf([...sessions, call('0123456789', { assistant_name: null })])]).toEqual([
    ['a', 'New'],
    ['b', 'B'],
    ['0123456789', 'Assistant 01234567'],
  ]);
});
