/**
 * Normalizes text for storage: line ends are `\n`, no two blank lines in a row, no trailing spaces, no control characters, no lone
 * surrogates.
 */
export const normalizeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\f\v\u0085\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]|\ufeff/gu, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');

/** Joins text into one line, with single spaces between words. */
export const toOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
