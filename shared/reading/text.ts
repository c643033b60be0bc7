/**
 * Text as it is kept: line ends are `\n`, at most one line in a row is blank, no line ends in spaces, no character
 * controls anything or is half of one.
 */
export const tidy = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\f\v\u0085\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]|\ufeff/gu, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');

/** One line: what separates words is one space. */
export const inline = (text: string): string => text.replace(/\s+/g, ' ').trim();
