/** Accents in scripts that are readable without them. The combining marks of Thai or Hindi are vowels, and stay. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;

/** Removes the accents of a lower-case text: 'köln' becomes 'koln', 'straße' becomes 'strasse'. */
export function foldAccents(text: string): string {
  if (/^[a-z0-9 ]*$/.test(text)) return text;
  return text.normalize('NFD').replaceAll(accents, '').normalize('NFC').replaceAll('ß', 'ss');
}

/** Normalizes a text for search: lower case, without accents. */
export const fold = (text: string): string => foldAccents(text.normalize('NFKC').toLowerCase());
