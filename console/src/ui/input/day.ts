/** First and last day, such as 2026-11-21, in the user's time zone. */
export interface DayRange {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Parses a day into its midnight in the user's time zone, plus a number of days; undefined if it is not a valid date.
 */
function parseMidnight(day: string, extraDays = 0): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const isDay = new Date(Date.UTC(year, month - 1, date)).toISOString().startsWith(day);
  return isDay && year > 1970 ? new Date(year, month - 1, date + extraDays) : undefined;
}

/** True for a valid day, such as 2026-11-21. */
export const isDay = (text: string): boolean => parseMidnight(text) !== undefined;

/** Returns the API's parameters for days. The time range ends with the last millisecond of the last day. */
export function toTimeRange({ from, to }: DayRange) {
  const end = to === undefined ? undefined : parseMidnight(to, 1);
  return {
    from: from === undefined ? undefined : parseMidnight(from)?.toISOString(),
    to: end && new Date(end.getTime() - 1).toISOString(),
  };
}
