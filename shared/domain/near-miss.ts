import { distance } from 'fastest-levenshtein';

/**
 * Returns the name that a text is probably a typo of: the nearest one, by one edit (a letter inserted, deleted or replaced), or
 * two in a text of five letters or more. Undefined if the text is a name itself, or near none.
 */
export function findNearMiss(text: string, names: readonly string[]): string | undefined {
  const sought = text.trim().toLowerCase();
  if (sought.length < 3 || sought.length > 64 || names.includes(sought)) return undefined;
  const most = sought.length < 5 ? 1 : 2;
  const [nearest] = names
    .filter((name) => Math.abs(name.length - sought.length) <= most)
    .map((name) => ({ name, edits: distance(sought, name) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits);
  return nearest?.name;
}
