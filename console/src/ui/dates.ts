/** Every format of a date or time that the console shows, in the reader's own time zone. */
const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat('en-GB', options);
  return (at: Date): string => formatter.format(at);
};

const shortDate = { day: 'numeric', month: 'short' } as const;
const date = { ...shortDate, year: 'numeric' } as const;
const day = { ...date, weekday: 'short' } as const;
const time = { hour: '2-digit', minute: '2-digit' } as const;

/** '21 Nov', where the year is clear. */
export const formatShortDate = format(shortDate);

/** '21 Nov 2026' */
export const formatDate = format(date);

/** 'Sat, 21 Nov 2026' */
export const formatDay = format(day);

/** '10:47' */
export const formatTime = format(time);

/** 'Sat, 21 Nov 2026, 10:47:01 CET' */
export const formatMoment = format({ ...day, ...time, second: '2-digit', timeZoneName: 'short' });
