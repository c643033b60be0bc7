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

/** Lists the values that differ between two objects, by their paths. A value is null where it is missing. */
export function listChanges(before: object, after: object, path: readonly string[] = []): Change[] {
  const get = (fields: object, key: string) => (Object.hasOwn(fields, key) ? (fields as Fields)[key] : undefined);
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const place = [...path, key];
    const [was, is] = [get(before, key), get(after, key)];
    if (isObject(was) && isObject(is)) return listChanges(was, is, place);
    return toSortedJson(was) === toSortedJson(is) ? [] : [{ path: place, before: was ?? null, after: is ?? null }];
  });
}
