import type { Change } from '../../schemas/version.ts';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const sorted = Object.keys(value).sort();
  return Object.fromEntries(sorted.map((key) => [key, sortKeys(value[key])]));
}

/** Returns JSON with sorted keys, so that equal values have equal text. */
export const toSortedJson = (value: unknown): string | undefined => JSON.stringify(sortKeys(value));

const get = (fields: object, key: string) => (Object.hasOwn(fields, key) ? (fields as Fields)[key] : undefined);

/** Yields the values that differ between two objects. A value within `depth` objects is compared as a whole. */
function* findChanges(before: object, after: object, depth: number, path: readonly string[] = []): Generator<Change> {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const place = [...path, key];
    const [was, is] = [get(before, key), get(after, key)];
    if (isObject(was) && isObject(is) && place.length < depth) yield* findChanges(was, is, depth, place);
    else if (toSortedJson(was) !== toSortedJson(is)) yield { path: place, before: was ?? null, after: is ?? null };
  }
}

/** Limit of the keys in all paths together. Each change has its whole path, and an object can have 10,000 changes. */
const maxKeys = 20_000;
const maxKeyCharacters = 200_000;

/**
 * Lists the values that differ between two objects, by their paths. A value is null where it is missing. Lists whole fields, if the
 * paths in them would have more than 20,000 keys or 200,000 characters.
 */
export function listChanges(before: object, after: object): Change[] {
  const changes: Change[] = [];
  let [keys, characters] = [0, 0];
  for (const change of findChanges(before, after, Number.POSITIVE_INFINITY)) {
    keys += change.path.length;
    characters += change.path.join('').length;
    if (keys > maxKeys || characters > maxKeyCharacters) return [...findChanges(before, after, 1)];
    changes.push(change);
  }
  return changes;
}
