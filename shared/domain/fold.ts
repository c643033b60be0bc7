/** Marks on letters that are read without them too. Those of Thai or Hindi are vowels, and stay. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;

/** Removes the accents of a text in small letters: 'köln' becomes 'koln', 'straße' 'strasse'. */
export function foldAccents(text: string): string {
  if (/^[a-z0-9 ]*$/.test(text)) return text;
  return text.normalize('NFD').replaceAll(accents, '').normalize('NFC').replaceAll('ß', 'ss');
}

/** Returns a text in the form in which it is compared with what somebody types: without cases and accents. */
export const fold = (text: string): string => foldAccents(text.normalize('NFKC').toLowerCase());
