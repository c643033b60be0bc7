import { isPossibleStart } from '../../../shared/domain/call-start.ts';
import type { Session } from '../api/types.ts';
import { calls as text } from '../strings/calls.ts';
import { formatDay } from '../ui/text/dates.ts';

/** A day and its items. */
export interface Day<T> {
  /** Date, such as 2026-11-21. */
  date: string;
  items: T[];
}

/**
 * Creates a function that returns the day of a time, in a time zone or else in the user's. Creating a date format is
 * slow, so reuse the function.
 */
function createDayFormat(timeZone?: string): (at: string | Date) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (time) => format.format(new Date(time));
}

const formatLocalDay = createDayFormat();

/** Returns the day of a time, such as 2026-11-21, in a time zone or else in the user's. */
export const toDay = (at: string | Date, timeZone?: string): string =>
  (timeZone ? createDayFormat(timeZone) : formatLocalDay)(at);

type Timed = Pick<Session, 'started_at' | 'created_at'>;

/**
 * Returns the start of a call, or the time when it was saved if the start is unknown or impossible. The API sorts calls
 * by this time.
 */
export function getCallTime({ started_at, created_at }: Timed): Date {
  const [start, saved] = [new Date(started_at ?? created_at), new Date(created_at)];
  return isPossibleStart(start.getTime(), saved.getTime()) ? start : saved;
}

/** Groups calls by day, keeping their order. */
export function groupByDay<T extends Timed>(items: readonly T[], timeZone?: string): Day<T>[] {
  const days: Day<T>[] = [];
  const formatDay = timeZone ? createDayFormat(timeZone) : formatLocalDay;
  for (const item of items) {
    const date = formatDay(getCallTime(item));
    const last = days.at(-1);
    if (last?.date === date) last.items.push(item);
    else days.push({ date, items: [item] });
  }
  return days;
}

/** Returns midnight a number of days ago. Uses the calendar, since not every day has 24 hours. */
export const subtractDays = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);

/** Formats a day relative to `now`: 'Today', 'Yesterday', or the date. */
export function formatDayName(day: string, now: Date): string {
  if (day === toDay(now)) return text.today;
  if (day === toDay(subtractDays(now, 1))) return text.yesterday;
  return formatDay(new Date(`${day}T12:00`));
}
