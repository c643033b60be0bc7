import { common } from '../../strings/common.ts';
import { formatDate } from './dates.ts';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const weekS = 7 * 86_400;
const hourMs = 3_600_000;

const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Numbers the days in the user's time zone. Consecutive days differ by one, although not every day has 24 hours. */
const toDayNumber = (at: Date) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 86_400_000;

/** Formats a time relative to `now`: 'now', '5 minutes ago', 'yesterday'. Beyond a week, returns the date. */
export function formatRelativeTime(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  if (Math.abs(seconds) >= weekS) return formatDate(at);
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  if (unit === 'second') return relativeFormat.format(0, 'second');
  // "Yesterday" is a calendar day.
  const count = unit === 'day' ? toDayNumber(at) - toDayNumber(now) : Math.trunc(seconds / length);
  return relativeFormat.format(count, unit);
}

/** Formats the hour that starts at a time: 'within the last hour', '3 hours ago', 'yesterday'. Beyond a week, returns the date. */
export const formatRelativeHour = (at: Date, now: Date): string =>
  now.getTime() - at.getTime() < hourMs ? common.withinHour : formatRelativeTime(at, now);
