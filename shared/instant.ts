/** When an item was said: as milliseconds of Unix time, as seconds from the start of the call, as both, or neither. */
export interface Timing {
  at?: number;
  offset?: number;
}

/** The last millisecond that RFC 3339 can write. */
export const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A number tells its unit by its size: 1e8 is three years of call or 1973 in Unix seconds, 1e11 is 1973 in milliseconds. */
function fromNumber(n: number): Timing {
  if (n >= 0 && n < 1e8) return { offset: Math.round(n * 1000) / 1000 };
  if (n >= 1e8 && n < 1e11) return { at: Math.round(n * 1000) };
  if (n >= 1e11 && n <= latest) return { at: Math.round(n) };
  return {};
}

/** RFC 3339, section 5.6, and what Python's `isoformat` writes: without a zone it is UTC, as on most servers. */
const dateTime = /^([1-9]\d{3})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):?(\d\d))?$/;
const daysOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Milliseconds of Unix time; undefined for 30 February and the like. The leap second 60 is the second after it. */
function fromDateTime(text: string): Timing {
  const parts = dateTime.exec(text);
  if (!parts) return {};
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [fraction = '', sign, hours = 0, minutes = 0] = parts.slice(7);
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return {};
  if (hour > 23 || minute > 59 || second > 60 || Number(hours) > 23 || Number(minutes) > 59) return {};
  const east = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const at = Date.UTC(year, month - 1, day, hour, minute - east, second, Number(`${fraction}00`.slice(0, 3)));
  return at <= latest ? { at } : {};
}

function read(value: unknown): Timing {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string' || value.length > 64) return {};
  const text = value.trim();
  return /^\d+(\.\d+)?$/.test(text) ? fromNumber(Number(text)) : fromDateTime(text);
}

/** The moment that a text or a number means, in milliseconds of Unix time; undefined where it means none. */
export const instantOf = (value: unknown): number | undefined => read(value).at;

/** RFC 3339 in UTC with milliseconds; null for what no calendar holds. */
export const written = (at: number | undefined): string | null =>
  at === undefined || at > latest ? null : new Date(at).toISOString();

/** The contract's names, then those of Vapi, of Retell's tool calls and of LiveKit's JavaScript. */
const keys = [
  ...['timestamp', 'created_at', 'time', 'start', 'start_time', 'time_in_call_secs'],
  ...['secondsFromStart', 'time_sec', 'createdAt', 'startTime'],
];

/** What an item says of its time: of each kind the first that can be read. Retell times the words of an utterance only. */
export function timingOf(item: Record<string, unknown>): Timing {
  const timing: Timing = {};
  for (const key of keys) {
    const { at, offset } = read(item[key]);
    if (at !== undefined) timing.at ??= at;
    if (offset !== undefined) timing.offset ??= offset;
  }
  if (timing.at !== undefined || timing.offset !== undefined || !Array.isArray(item.words)) return timing;
  return read((item.words[0] as { start?: unknown } | null | undefined)?.start);
}
