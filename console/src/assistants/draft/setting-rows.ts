/** A vendor's setting as it is edited. The text is JSON, or else the string itself. */
export interface SettingRow {
  key: string;
  text: string;
}

/** True if JSON can represent the value without loss. The API rejects integers beyond 2^53. */
const isExact = (value: unknown) =>
  typeof value !== 'number' || Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));

/** Parses the text of a setting: `0.4` is a number, `true` a boolean, `"0.4"` and `fast` are strings. */
export function parseSetting(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isExact(value) ? value : text;
  } catch {
    return text;
  }
}

/** Formats a setting as text. Strings have quotes only if they would otherwise parse as another type. */
export const formatSetting = (value: unknown): string =>
  typeof value === 'string' && parseSetting(value) === value ? value : JSON.stringify(value);

/** Returns the type of the value that a text parses to. */
export function getKind(text: string): 'text' | 'number' | 'boolean' | 'null' | 'json' {
  const value = parseSetting(text);
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number' | 'boolean';
  return typeof value === 'string' ? 'text' : 'json';
}

/** Returns the rows of a part: all settings except those that the API knows. */
export const toRows = (settings: Record<string, unknown>, known: string[]): SettingRow[] =>
  Object.entries(settings)
    .filter(([key]) => !known.includes(key))
    .map(([key, value]) => ({ key, text: formatSetting(value) }));

/** Returns the settings of the rows. Skips rows without a name. */
export const toSettings = (rows: SettingRow[]): Record<string, unknown> =>
  Object.fromEntries(rows.filter(({ key }) => key !== '').map(({ key, text }) => [key, parseSetting(text)]));

/** True if the API would drop a setting instead of storing it: one that is null, unless it is null in `saved`. */
export const isDropped = (value: unknown, saved: unknown): boolean => value === null && saved !== null;

/** Fault that keeps a row from being a setting. */
export type RowFault = 'nameless' | 'taken' | 'null';

/**
 * Finds the fault of a row: a value without a name, unless `saved` has one; the name of another row or of a form field;
 * or null, which the API would drop, unless it is null in `saved`. An empty row is valid.
 */
export function findRowFault(
  rows: SettingRow[],
  index: number,
  known: string[],
  saved: Record<string, unknown>,
): RowFault | undefined {
  const { key, text } = rows[index] ?? { key: '', text: '' };
  if (key === '') return text === '' || Object.hasOwn(saved, key) ? undefined : 'nameless';
  if (known.includes(key) || rows.findIndex((row) => row.key === key) < index) return 'taken';
  return isDropped(parseSetting(text), saved[key]) ? 'null' : undefined;
}
