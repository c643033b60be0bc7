/** Filter of the list of calls, as stored in the URL. */
export interface Filter {
  /** Id of an assistant. */
  assistant?: string | undefined;
  /** Full name of a room. */
  room?: string | undefined;
  /** Part of a caller's name, a room, an outcome or the first words. Searched in the calls that have loaded. */
  find?: string | undefined;
  /** First and last day, such as 2026-11-21, in the user's time zone. */
  from?: string | undefined;
  to?: string | undefined;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Parses a day into its midnight in the user's time zone, plus a number of days; undefined if it is not a valid date.
 */
function parseMidnight(day: string, extraDays = 0): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const isDay = new Date(Date.UTC(year, month - 1, date)).toISOString().startsWith(day);
  return isDay && year > 1970 ? new Date(year, month - 1, date + extraDays) : undefined;
}

const parseText = (value: unknown, isValid: (text: string) => boolean): string | undefined =>
  typeof value === 'string' && isValid(value) ? value : undefined;

/** Converts a parameter to text: the router parses digits as a number. */
const toText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);

const isShort = (text: string) => text !== '' && text.length <= 256;

/** True for a valid day, such as 2026-11-21. */
export const isDay = (text: string): boolean => parseMidnight(text) !== undefined;

/** Parses a filter from the URL. Skips invalid values. */
export const parseFilter = ({ assistant, room, find, from, to }: Record<string, unknown>): Filter => ({
  assistant: parseText(assistant, (text) => uuid.test(text)),
  room: parseText(toText(room), isShort),
  find: parseText(toText(find), isShort),
  from: parseText(from, isDay),
  to: parseText(to, isDay),
});

/** Returns the API's parameters for a filter. The time range ends with the last millisecond of the last day. */
export function toQuery({ assistant, room, from, to }: Filter) {
  const end = to === undefined ? undefined : parseMidnight(to, 1);
  return {
    assistant_id: assistant,
    room_name: room,
    from: from === undefined ? undefined : parseMidnight(from)?.toISOString(),
    to: end && new Date(end.getTime() - 1).toISOString(),
  };
}

/** True if the filter excludes anything. Ignores other parameters in the URL. */
export const isFiltered = ({ assistant, room, find, from, to }: Filter): boolean =>
  [assistant, room, find, from, to].some((value) => value !== undefined);
