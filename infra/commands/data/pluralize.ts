/** Formats a number of things, with a plural `s` if needed. */
export const pluralize = (count: number, thing: string): string =>
  `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`;
