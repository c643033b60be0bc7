/** Creates a date format in the user's time zone. All formats of the console are in this file. */
const createFormat = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat('en-GB', options);
  return (time: Date): string => formatter.format(time);
};

const shortDate = { day: 'numeric', month: 'short' } as const;
const date = { ...shortDate, year: 'numeric' } as const;
const day = { ...date, weekday: 'short' } as const;
const time = { hour: '2-digit', minute: '2-digit' } as const;

/** Formats '21 Nov', where the year is clear. */
export const formatShortDate = createFormat(shortDate);

/** Formats '21 Nov 2026'. */
export const formatDate = createFormat(date);

/** Formats 'Sat, 21 Nov 2026'. */
export const formatDay = createFormat(day);

/** Formats '10:47'. */
export const formatTime = createFormat(time);

/** Formats 'Sat, 21 Nov 2026, 10:47:01 CET'. */
export const formatDateTime = createFormat({ ...day, ...time, second: '2-digit', timeZoneName: 'short' });

/** Formats 'Sat, 21 Nov 2026, 10:00–11:00', the hour that starts at a time. */
export const formatHour = (time: Date): string =>
  `${formatDay(time)}, ${formatTime(time)}–${formatTime(new Date(time.getTime() + 3_600_000))}`;
