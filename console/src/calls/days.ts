/** What came on one day. */
export interface Day<T> {
  /** Such as 2026-11-21. */
  date: string;
  items: T[];
}

/** The day of a moment, such as 2026-11-21, in a time zone: without one, the reader's own. */
export const dayOf = (at: string, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(at),
  );

/** Items by day, in the order in which they come. */
export function byDay<T extends { created_at: string }>(items: readonly T[], timeZone?: string): Day<T>[] {
  const days: Day<T>[] = [];
  for (const item of items) {
    const date = dayOf(item.created_at, timeZone);
    const last = days.at(-1);
    if (last?.date === date) last.items.push(item);
    else days.push({ date, items: [item] });
  }
  return days;
}
