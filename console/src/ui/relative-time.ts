import { formatDate } from './dates.ts';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const week = 7 * 86_400;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Which day it is in the reader's time zone, counted: the next one has the next number, though not all days have 24 hours. */
const dayNumber = (at: Date) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 86_400_000;

/** A moment as people say it, seen from `now`: 'now', '5 minutes ago', 'yesterday'; beyond a week, the date. */
export function relativeTime(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  if (Math.abs(seconds) >= week) return formatDate(at);
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  if (unit === 'second') return relative.format(0, 'second');
  // "Yesterday" is a day of the calendar.
  const count = unit === 'day' ? dayNumber(at) - dayNumber(now) : Math.trunc(seconds / length);
  return relative.format(count, unit);
}
