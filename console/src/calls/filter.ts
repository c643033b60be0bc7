/** Which calls are listed, as it stands in the address. */
export interface Filter {
  /** An assistant's id. */
  assistant?: string | undefined;
  /** A room's whole name. */
  room?: string | undefined;
  /** A part of a caller's name, a room, an outcome or the first words, which is looked for among the calls that were read. */
  find?: string | undefined;
  /** The first and the last day, such as 2026-11-21, where the reader is. */
  from?: string | undefined;
  to?: string | undefined;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Midnight at the beginning of a day in the reader's own time zone, so many days later; undefined for what is no day. */
function midnight(day: string, later = 0): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const isDay = new Date(Date.UTC(year, month - 1, date)).toISOString().startsWith(day);
  return isDay && year > 1970 ? new Date(year, month - 1, date + later) : undefined;
}

const textIn = (value: unknown, isGood: (text: string) => boolean): string | undefined =>
  typeof value === 'string' && isGood(value) ? value : undefined;

/** Text of a parameter: the router reads one of digits as a number. */
const written = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);

const isShort = (text: string) => text !== '' && text.length <= 256;

/** Whether a text is a day that can be asked for, such as 2026-11-21. */
export const isDay = (text: string): boolean => midnight(text) !== undefined;

/** What an address says; of anything that is not a filter, nothing. */
export const filterIn = ({ assistant, room, find, from, to }: Record<string, unknown>): Filter => ({
  assistant: textIn(assistant, (text) => uuid.test(text)),
  room: textIn(written(room), isShort),
  find: textIn(written(find), isShort),
  from: textIn(from, isDay),
  to: textIn(to, isDay),
});

/** The same in the words of the service: from the first millisecond of the first day to the last one of the last day. */
export function asked({ assistant, room, from, to }: Filter) {
  const end = to === undefined ? undefined : midnight(to, 1);
  return {
    assistant_id: assistant,
    room_name: room,
    from: from === undefined ? undefined : midnight(from)?.toISOString(),
    to: end && new Date(end.getTime() - 1).toISOString(),
  };
}

/** Whether anything is left out. What else stands in the address does not count. */
export const isFiltered = ({ assistant, room, find, from, to }: Filter): boolean =>
  [assistant, room, find, from, to].some((value) => value !== undefined);
