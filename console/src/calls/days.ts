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

/** Items by day, in the order in which they come. */
export function byDay<T extends { created_at: string }>(items: readonly T[], timeZone?: string): Day<T>[] {
  const days: Day<T>[] = [];
  const dayAt = timeZone ? daysIn(timeZone) : dayHere;
  for (const item of items) {
    const date = dayAt(item.created_at);
    const last = days.at(-1);
    if (last?.date === date) last.items.push(item);
    else days.push({ date, items: [item] });
  }
  return days;
}
