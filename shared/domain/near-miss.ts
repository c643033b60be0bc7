import { distance } from 'fastest-levenshtein';

/**
 * Returns the closest name if the text is probably a typo of it: one edit apart (a letter inserted, deleted or
 * replaced), or two for five letters or more. Undefined if the text is itself a name.
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
