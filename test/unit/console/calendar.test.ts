import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

/** Imports the modules in a time zone with days of 23 and 25 hours. */
async function importInBerlin() {
  vi.resetModules();
  return {
    ...(await import('../../../console/src/calls/days.ts')),
    ...(await import('../../../console/src/ui/text/relative-time.ts')),
  };
}

describe('dates across a clock change', () => {
  let days: Awaited<ReturnType<typeof importInBerlin>>;
  beforeAll(async () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    days = await importInBerlin();
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });

  test('calls the previous calendar day yesterday', () => {
    // A quarter past midnight on the Monday after a Sunday of 23 hours.
    const now = new Date('2026-03-30T00:15:00+02:00');
    expect(['2026-03-30', '2026-03-29', '2026-03-28'].map((day) => days.formatDayName(day, now))).toEqual([
      'Today',
      'Yesterday',
      'Sat, 28 Mar 2026',
    ]);
    expect(days.formatRelativeTime(new Date('2026-03-29T00:10:00+01:00'), now)).toBe('23 hours ago');
    expect(days.formatRelativeTime(new Date('2026-03-28T23:50:00+01:00'), now)).toBe('23 hours ago');
    expect(days.formatRelativeTime(new Date('2026-03-28T22:50:00+01:00'), now)).toBe('2 days ago');
  });

  test('counts calendar days, not periods of 24 hours', () => {
    const wednesday = new Date('2026-11-18T09:00:00+01:00');
    expect(days.formatRelativeTime(new Date('2026-11-16T10:00:00+01:00'), wednesday)).toBe('2 days ago');
    expect(days.formatRelativeTime(new Date('2026-11-17T08:00:00+01:00'), wednesday)).toBe('yesterday');
    expect(days.formatRelativeTime(new Date('2026-11-20T08:00:00+01:00'), wednesday)).toBe('in 2 days');
  });
});
