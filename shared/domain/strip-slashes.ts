/** Removes the slashes at the end of a text. A match begins at the first slash of a run alone, which makes it linear. */
export const stripSlashes = (text: string): string => text.replace(/(?<!\/)\/+$/, '');
