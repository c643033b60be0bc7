/** Time of a transcript item, on either scale, both or neither. */
export interface Timing {
  /** Milliseconds since 1970. */
  at?: number;
  /** Seconds since the start of the call. */
  offset?: number;
}

/** Latest time that RFC 3339 can express, in milliseconds since 1970. */
export const maxTimestampMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Guesses the unit of a number from its size: an offset below 1e8 (three years of call; in Unix seconds 1973), Unix
 * seconds below 1e11 (in milliseconds 1973), else Unix milliseconds.
 */
function parseNumber(n: number): Timing {
  if (n >= 0 && n < 1e8) return { offset: Math.round(n * 1000) / 1000 };
  if (n >= 1e8 && n < 1e11) return { at: Math.round(n * 1000) };
  if (n >= 1e11 && n <= maxTimestampMs) return { at: Math.round(n) };
  return {};
}

/** RFC 3339, section 5.6, and the output of Python's `isoformat`. Without a zone it is UTC, as on most servers. */
const dateTimePattern =
  /^([1-9]\d{3})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):?(\d\d))?$/;
const getDaysInMonth = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

/**
 * Parses a date and time. Empty for impossible dates like 30 February. A leap second (60) becomes the following second.
 */
function parseDateTime(text: string): Timing {
  const parts = dateTimePattern.exec(text);
  if (!parts) return {};
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [fraction = '', sign, hours = 0, minutes = 0] = parts.slice(7);
  if (month < 1 || month > 12 || day < 1 || day > getDaysInMonth(year, month)) return {};
  if (hour > 23 || minute > 59 || second > 60 || Number(hours) > 23 || Number(minutes) > 59) return {};
  const offsetMinutes = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const at = Date.UTC(year, month - 1, day, hour, minute - offsetMinutes, second, Number(`${fraction}00`.slice(0, 3)));
  return at <= maxTimestampMs ? { at } : {};
}

function parseValue(value: unknown): Timing {
  if (typeof value === 'number') return parseNumber(value);
  if (typeof value !== 'string' || value.length > 64) return {};
  const text = value.trim();
  return /^\d+(\.\d+)?$/.test(text) ? parseNumber(Number(text)) : parseDateTime(text);
}

/**
 * Parses a date, or a number of Unix seconds or milliseconds, into milliseconds since 1970. Undefined if it is neither.
 */
export const parseTimestamp = (value: unknown): number | undefined => parseValue(value).at;

/** Formats milliseconds since 1970 as RFC 3339 in UTC. Null if undefined or after the year 9999. */
export const formatTimestamp = (at: number | undefined): string | null =>
  at === undefined || at > maxTimestampMs ? null : new Date(at).toISOString();

/** Names of an item's time: those of our API, then of Vapi, of Retell's tool calls and of LiveKit's JavaScript SDK. */
const timingKeys = [
  ...['timestamp', 'created_at', 'time', 'start', 'start_time', 'time_in_call_secs'],
  ...['secondsFromStart', 'time_sec', 'createdAt', 'startTime'],
];

/**
 * Parses the time of a transcript item: the first valid timestamp and the first valid offset. Falls back to the first
 * word, since Retell only times the words of an utterance.
 */
export function parseTiming(item: Record<string, unknown>): Timing {
  const timing: Timing = {};
  for (const key of timingKeys) {
    const { at, offset } = parseValue(item[key]);
    if (at !== undefined) timing.at ??= at;
    if (offset !== undefined) timing.offset ??= offset;
  }
  if (timing.at !== undefined || timing.offset !== undefined || !Array.isArray(item.words)) return timing;
  return parseValue((item.words[0] as { start?: unknown } | null | undefined)?.start);
}
