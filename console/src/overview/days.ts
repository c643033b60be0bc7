import { formatDay, formatShortDate } from '../ui/text/dates.ts';

/** Periods to choose from, in days. */
export const spans = [7, 30, 90] as const;
export type Span = (typeof spans)[number];

const dayMs = 86_400_000;

/** Lists the last days in UTC, oldest first, including today. */
export const listLastDays = (span: number, now: Date): string[] =>
  Array.from({ length: span }, (_, index) =>
    new Date(now.getTime() - (span - 1 - index) * dayMs).toISOString().slice(0, 10),
  );

const toDate = (day: string) => new Date(`${day}T00:00`);

/** Formats a day for an axis: `21 Nov`. */
export const formatShortDay = (day: string): string => formatShortDate(toDate(day));

/** Formats a day for a table: `Sat, 21 Nov 2026`. */
export const formatLongDay = (day: string): string => formatDay(toDate(day));
