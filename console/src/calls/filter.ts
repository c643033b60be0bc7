import { isDay, toTimeRange } from '../ui/input/day.ts';

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

const parseText = (value: unknown, isValid: (text: string) => boolean): string | undefined =>
  typeof value === 'string' && isValid(value) ? value : undefined;

/** Converts a parameter to text: the router parses digits as a number. */
const toText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);

const isShort = (text: string) => text !== '' && text.length <= 256;

/** Parses a filter from the URL. Skips invalid values. */
export const parseFilter = ({ assistant, room, find, from, to }: Record<string, unknown>): Filter => ({
  assistant: parseText(assistant, (text) => uuid.test(text)),
  room: parseText(toText(room), isShort),
  find: parseText(toText(find), isShort),
  from: parseText(from, isDay),
  to: parseText(to, isDay),
});

/** Returns the API's parameters for a filter. */
export const toQuery = ({ assistant, room, from, to }: Filter) => ({
  assistant_id: assistant,
  room_name: room,
  ...toTimeRange({ from, to }),
});

/** True if the filter excludes anything. Ignores other parameters in the URL. */
export const isFiltered = ({ assistant, room, find, from, to }: Filter): boolean =>
  [assistant, room, find, from, to].some((value) => value !== undefined);
