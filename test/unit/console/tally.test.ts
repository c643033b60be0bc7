import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Series, Session } from '../../../console/src/api/types.ts';
import { getAssistantNames } from '../../../console/src/calls/assistant-names.ts';
import { toCsv } from '../../../console/src/overview/csv.ts';
import { listLastDays } from '../../../console/src/overview/days.ts';
import { type Count, getNames, others, tallyCalls } from '../../../console/src/overview/tally.ts';

const now = new Date('2026-11-21T12:00Z');
const days = listLastDays(7, now);

type Entry = Series[number];
const buildEntry = (key: string | null, calls = 1, fields: Partial<Entry> = {}) =>
  ({ key, name: null, interval: '2026-11-21', calls, minutes: calls, cost: null, ...fields }) as Entry;

const sum = (counts: readonly Count[]) => {
  const add = (field: keyof Count) => counts.reduce((total, count) => total + count[field], 0);
  return { calls: add('calls'), minutes: add('minutes'), cost: add('cost') };
};

test('counts calls by day', () => {
  const { days: counted } = tallyCalls([buildEntry('a', 2, { interval: '2026-11-20' }), buildEntry('a')], days, 6);
  expect(counted.map(({ byShare }) => byShare.get('a')?.calls ?? 0)).toEqual([0, 0, 0, 0, 0, 2, 1]);
});

test('skips calls before the period', () => {
  expect(tallyCalls([buildEntry('a', 1, { interval: '2026-11-01' })], days, 6)).toMatchObject({ shares: [] });
});

test('shows all calls as others if they are not known by assistant', () => {
  expect(
    tallyCalls([buildEntry(null, 3)], days, 6)
      .days.at(-1)
      ?.byShare.get(others)?.calls,
  ).toBe(3);
});

test('groups the assistants with the fewest calls', () => {
  const { shares } = tallyCalls([buildEntry('c'), buildEntry('a', 3), buildEntry('b', 2)], days, 2);
  expect(shares.map(({ id, calls }) => [id, calls])).toEqual([
    ['a', 3],
    [others, 3],
  ]);
});

test('groups all assistants if that group would have most calls, and lists each separately', () => {
  const ids = Array.from({ length: 38 }, (_, index) => `assistant-${index}`);
  const tally = tallyCalls(
    ids.map((id) => buildEntry(id)),
    days,
    6,
  );
  expect(tally.shares.map(({ id, calls }) => [id, calls])).toEqual([[others, 38]]);
  expect(tally.days.at(-1)?.byShare.get(others)?.calls).toBe(38);
  expect(tally.assistants.map(({ id }) => id)).toEqual(ids);
});

test('adds up by day and by share, with a limited number of shares', () => {
  const entries = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    interval: fc.constantFrom(...days),
    calls: fc.nat(100),
    minutes: fc.nat(100),
    cost: fc.option(fc.nat(100)),
  });
  fc.assert(
    fc.property(fc.array(entries), fc.integer({ min: 1, max: 6 }), (series, most) => {
      const counted = tallyCalls(series as Entry[], days, most);
      const inAll = sum(series.map((entry) => ({ ...entry, cost: entry.cost ?? 0 })));
      expect(sum(counted.assistants)).toEqual(inAll);
      expect(sum(counted.shares)).toEqual(inAll);
      expect(sum(counted.days.flatMap(({ byShare }) => [...byShare.values()]))).toEqual(inAll);
      expect(counted.shares.length).toBeLessThanOrEqual(most);
      expect(counted.days.map(({ day }) => day)).toEqual(days);
    }),
  );
});

test('names an assistant as in its newest entry', () => {
  const series = [
    buildEntry('a', 1, { name: 'Old' }),
    buildEntry('a', 1, { name: 'New' }),
    buildEntry('a'),
    buildEntry('b'),
  ];
  expect([...getNames(series)].map(([id, name]) => [id, name.slice(0, 3)])).toEqual([
    ['a', 'New'],
    ['b', expect.any(String)],
  ]);
});

test('is saved as CSV that no spreadsheet runs', () => {
  const entry = buildEntry('a', 2, {
    minutes: 1.5,
    messages: 4,
    tool_calls: 0,
    cost: 0.25,
    latency: { method: 'histogram', e2e: null, ttft: null },
  });
  const lines = toCsv([entry], () => '=HYPERLINK("x"),\n', 'EUR').split('\r\n');
  expect(lines[0]).toBe('day,assistant_id,assistant,calls,minutes,messages,tool_calls,p50_ms,p95_ms,cost,currency');
  expect(lines[1]).toBe('2026-11-21,a,"\'=HYPERLINK(""x""),\n",2,1.5,4,0,,,0.25,EUR');
});

test('lists each day once, in order, up to today in UTC', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(2000, 0), max: new Date(2100, 0), noInvalidDate: true }), (moment) => {
      const last = listLastDays(90, moment);
      expect(new Set(last).size).toBe(90);
      expect(last).toEqual(last.toSorted());
      expect(last.at(-1)).toBe(moment.toISOString().slice(0, 10));
    }),
  );
});

const buildCall = (assistant_id: string, fields: Partial<Session> = {}) =>
  ({ assistant_id, assistant_name: assistant_id.toUpperCase(), ...fields }) as Session;

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
