import { describe, expect, test } from 'vitest';
import { toLogs } from '../../shared/domain/transcript.ts';
import { parseTimestamp } from '../../shared/timestamp.ts';

const start = '2026-11-21T07:00:00Z';

/** Returns an item's time as `[timestamp, offset_seconds]`. */
function getTime(item: object, startedAt: string | null = null) {
  const [log] = toLogs('019aa2c4-0000-7000-8000-000000000000', [item], startedAt);
  return [log?.timestamp, log?.offset_seconds];
}

describe('an absolute time', () => {
  const cases: [unknown, string][] = [
    ['2026-11-21T07:00:02Z', '2026-11-21T07:00:02.000Z'],
    ['2026-11-21t07:00:02.5z', '2026-11-21T07:00:02.500Z'],
    ['2026-11-21T07:00:02.289999999Z', '2026-11-21T07:00:02.289Z'],
    ['2026-11-21T07:00:02+00:00', '2026-11-21T07:00:02.000Z'],
    ['2026-11-21T16:00:02.250+09:00', '2026-11-21T07:00:02.250Z'],
    ['2026-11-21T01:30:02-0530', '2026-11-21T07:00:02.000Z'],
    ['2026-11-21 07:00:02.123456', '2026-11-21T07:00:02.123Z'],
    ['2024-02-29T23:59:60Z', '2024-03-01T00:00:00.000Z'],
    [1763708402.113, '2025-11-21T07:00:02.113Z'],
    ['1763708402.113', '2025-11-21T07:00:02.113Z'],
    [1763708402113, '2025-11-21T07:00:02.113Z'],
    [' 1763708402113 ', '2025-11-21T07:00:02.113Z'],
    [100_000_000, '1973-03-03T09:46:40.000Z'],
    [253_402_300_799_999, '9999-12-31T23:59:59.999Z'],
  ];

  test.each(cases)('from %j is %s, in every field', (sent, timestamp) => {
    for (const key of ['timestamp', 'created_at', 'time', 'start', 'start_time', 'createdAt', 'startTime']) {
      expect(getTime({ [key]: sent })).toEqual([timestamp, null]);
    }
  });

  test('has an offset too if the start is known', () => {
    expect(getTime({ created_at: '2026-11-21T07:00:02.113Z' }, start)).toEqual(['2026-11-21T07:00:02.113Z', 2.113]);
    expect(getTime({ created_at: '2026-11-21T06:59:59.900Z' }, start)).toEqual(['2026-11-21T06:59:59.900Z', -0.1]);
    expect(getTime({ created_at: '2026-11-21T07:00:02Z' }, 'soon')).toEqual(['2026-11-21T07:00:02.000Z', null]);
  });
});

describe('seconds from the start', () => {
  test.each([0, 3, 0.72, '3.4', 99_999_999])('are parsed from %j, in every field', (sent) => {
    const keys = ['timestamp', 'created_at', 'time', 'start', 'start_time', 'time_in_call_secs'];
    for (const key of [...keys, 'secondsFromStart', 'time_sec']) {
      expect(getTime({ [key]: sent })).toEqual([null, Number(sent)]);
    }
  });

  test('have a timestamp too if the start is known', () => {
    expect(getTime({ time_in_call_secs: 61.5 }, start)).toEqual(['2026-11-21T07:01:01.500Z', 61.5]);
    expect(getTime({ start: 99_999_999 }, '9999-12-31T00:00:00Z')).toEqual([null, 99_999_999]);
  });

  test('are kept next to an absolute time, each as sent', () => {
    expect(getTime({ time: 1763708407400, secondsFromStart: 5.3 }, start)).toEqual(['2025-11-21T07:00:07.400Z', 5.3]);
    expect(getTime({ start: 5.3, created_at: 1763708407.4 })).toEqual(['2025-11-21T07:00:07.400Z', 5.3]);
  });

  test('come from the first word if the item has no time', () => {
    expect(getTime({ words: [{ word: 'a', start: 1.5 }, { start: 2 }] })).toEqual([null, 1.5]);
    expect(getTime({ start: 1, words: [{ start: 1.5 }] })).toEqual([null, 1]);
    for (const words of [[], [null], ['a'], [{}], {}, 'abc']) expect(getTime({ words })).toEqual([null, null]);
  });
});

describe('an unreadable time', () => {
  const unreadable = [
    ...['', ' ', 'now', '07:00', '2026-11-21', '2026-11-21T07:00Z', '2026-02-30T07:00:00Z', '2025-02-29T07:00:00Z'],
    ...['2026-13-01T00:00:00Z', '2026-00-01T00:00:00Z', '2026-01-00T00:00:00Z', '2026-11-21T24:00:00Z', '-1', '1e9'],
    ...['2026-11-21T07:60:00Z', '2026-11-21T07:00:61Z', '2026-11-21T07:00:00+24:00', '9999-12-31T23:59:59-01:00'],
    ...['0001-01-01T00:00:00Z', `${'1'.repeat(65)}`, `2026-11-21T07:00:02.${'0'.repeat(100)}Z`],
    ...[-1, 253_402_300_800_000, 1.763708402113e18, Number.NaN, Infinity, true, null, {}, [], [1763708402]],
  ];

  test.each(unreadable)('is ignored: %j', (sent) => {
    expect(getTime({ timestamp: sent }, start)).toEqual([null, null]);
    expect(parseTimestamp(sent)).toBeUndefined();
  });

  test('does not hide a readable time in a later field', () => {
    expect(getTime({ timestamp: '', created_at: null, time: '2026-11-21T07:00:02Z' })[0]).toBe(
      '2026-11-21T07:00:02.000Z',
    );
  });
});
