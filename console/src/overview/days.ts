import { dayOf, daysBefore } from '../calls/days.ts';
import { formatDay, formatShortDate } from '../ui/dates.ts';

/** How many days may be looked back on. */
export const spans = [7, 30, 90] as const;
export type Span = (typeof spans)[number];

/** The last days, today the last of them. */
export const lastDays = (span: number, now: Date): string[] =>
  Array.from({ length: span }, (_, index) => dayOf(daysBefore(now, span - 1 - index)));

/** The moment at which the first of the last days begins. */
export const beginOf = (span: number, now: Date): Date => daysBefore(now, span - 1);

const dateOf = (day: string) => new Date(`${day}T00:00`);

/** A day as an axis shows it: `21 Nov`. */
export const shortDay = (day: string): string => formatShortDate(dateOf(day));

/** A day as a table shows it: `Sat, 21 Nov 2026`. */
export const longDay = (day: string): string => formatDay(dateOf(day));
