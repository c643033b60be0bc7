import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

/** Modules as they are where days have 23 and 25 hours. */
async function inBerlin() {
  vi.resetModules();
  return {
    ...(await import('../../../console/src/calls/days.ts')),
    ...(await import('../../../console/src/ui/relative-time.ts')),
  };
}

describe('where clocks are changed', () => {
  let days: Awaited<ReturnType<typeof inBerlin>>;
  beforeAll(async () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    days = await inBerlin();
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });

  it('yesterday is the day before on the calendar', () => {
    // A quarter of an hour into the Monday after a Sunday of 23 hours.
    const now = new Date('2026-03-30T00:15:00+02:00');
    expect(['2026-03-30', '2026-03-29', '2026-03-28'].map((day) => days.dayName(day, now))).toEqual([
      'Today',
      'Yesterday',
      'Sat, 28 Mar 2026',
    ]);
    expect(days.relativeTime(new Date('2026-03-29T00:10:00+01:00'), now)).toBe('23 hours ago');
    expect(days.relativeTime(new Date('2026-03-28T23:50:00+01:00'), now)).toBe('23 hours ago');
    expect(days.relativeTime(new Date('2026-03-28T22:50:00+01:00'), now)).toBe('2 days ago');
  });

  it('a day is no 24 hours', () => {
    const wednesday = new Date('2026-11-18T09:00:00+01:00');
    expect(days.relativeTime(new Date('2026-11-16T10:00:00+01:00'), wednesday)).toBe('2 days ago');
    expect(days.relativeTime(new Date('2026-11-17T08:00:00+01:00'), wednesday)).toBe('yesterday');
    expect(days.relativeTime(new Date('2026-11-20T08:00:00+01:00'), wednesday)).toBe('in 2 days');
  });
});
