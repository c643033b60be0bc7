import { subtractDays, toDay } from '../calls/days.ts';
import { formatDay, formatShortDate } from '../ui/text/dates.ts';

/** Periods to choose from, in days. */
export const spans = [7, 30, 90] as const;
export type Span = (typeof spans)[number];

/** Lists the last days, oldest first, including today. */
export const listLastDays = (span: number, now: Date): string[] =>
  Array.from({ length: span }, (_, index) => toDay(subtractDays(now, span - 1 - index)));

/** Returns the start of the first of the last days. */
export const getSpanStart = (span: number, now: Date): Date => subtractDays(now, span - 1);

const toDate = (day: string) => new Date(`${day}T00:00`);

/** Formats a day for an axis: `21 Nov`. */
export const formatShortDay = (day: string): string => formatShortDate(toDate(day));

/** Formats a day for a table: `Sat, 21 Nov 2026`. */
export const formatLongDay = (day: string): string => formatDay(toDate(day));
