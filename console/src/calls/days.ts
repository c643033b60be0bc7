import { isPossibleStart } from '../../../shared/domain/call-start.ts';
import type { Session } from '../api/types.ts';
import { calls as text } from '../strings/calls.ts';
import { formatDay } from '../ui/dates.ts';

/** What came on one day. */
export interface Day<T> {
  /** Such as 2026-11-21. */
  date: string;
  items: T[];
}

/** What tells days in a time zone; without one, in the reader's own. Made once for many moments, since a format is dear. */
function daysIn(timeZone?: string): (at: string | Date) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (at) => format.format(new Date(at));
}

const dayHere = daysIn();

/** The day of a moment, such as 2026-11-21, in a time zone: without one, the reader's own. */
export const dayOf = (at: string | Date, timeZone?: string): string => (timeZone ? daysIn(timeZone) : dayHere)(at);

type Timed = Pick<Session, 'started_at' | 'created_at'>;

/** Returns when a call began, or when it was saved where nobody says, or where a clock was wrong: calls are listed by this time. */
export function getCallTime({ started_at, created_at }: Timed): Date {
  const [start, saved] = [new Date(started_at ?? created_at), new Date(created_at)];
  return isPossibleStart(start.getTime(), saved.getTime()) ? start : saved;
}

/** Groups calls by day, in the order in which they come. */
export function groupByDay<T extends Timed>(items: readonly T[], timeZone?: string): Day<T>[] {
  const days: Day<T>[] = [];
  const dayAt = timeZone ? daysIn(timeZone) : dayHere;
  for (const item of items) {
    const date = dayAt(getCallTime(item));
    const last = days.at(-1);
    if (last?.date === date) last.items.push(item);
    else days.push({ date, items: [item] });
  }
  return days;
}

/** Midnight so many days before. By the calendar, since not all days have 24 hours. */
export const daysBefore = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);

/** A day as people say it, seen from `now`: 'Today', 'Yesterday', or the date. */
export function dayName(day: string, now: Date): string {
  if (day === dayOf(now)) return text.today;
  if (day === dayOf(daysBefore(now, 1))) return text.yesterday;
  return formatDay(new Date(`${day}T12:00`));
}
