/** That of V8. While a template is rendered, `Intl` has `getDateFormatter` in its place. */
export const { DateTimeFormat } = Intl;

/** Formatters by locale and options. Each takes some 50 KB outside of V8's heap, which V8 frees late. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Maximum number of formatters that are kept. */
const maxFormatters = 100;

/** Returns a formatter of dates, the same one for the same locale and options. Throws RangeError for an unknown time zone. */
export function getDateFormatter(locale?: string, options?: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = formatters.get(key);
  if (known) return known;
  const formatter = new DateTimeFormat(locale, options);
  if (formatters.size === maxFormatters) formatters.clear();
  formatters.set(key, formatter);
  return formatter;
}
