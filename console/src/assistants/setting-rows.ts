/** A setting of a vendor, as it is edited: the value is the text of a JSON value, or any other text, which is then a string. */
export interface SettingRow {
  key: string;
  text: string;
}

/** Whether JSON can hold it without loss. The service refuses whole numbers beyond 2^53. */
const isExact = (value: unknown) =>
  typeof value !== 'number' || Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));

/** The value that a text stands for: `0.4` is a number, `true` a truth value, `"0.4"` and `fast` are text. */
export function settingOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isExact(value) ? value : text;
  } catch {
    return text;
  }
}

/** The text that stands for a value: a string goes without quotes where it would not be taken for something else. */
export const textOfSetting = (value: unknown): string =>
  typeof value === 'string' && settingOf(value) === value ? value : JSON.stringify(value);

/** What kind of value a text stands for. */
export function kindOf(text: string): 'text' | 'number' | 'boolean' | 'null' | 'json' {
  const value = settingOf(text);
  if (value === null) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number' | 'boolean';
  return typeof value === 'string' ? 'text' : 'json';
}

/** The rows of a vendor's settings: all of a part but those that the service knows. */
export const rowsOf = (settings: Record<string, unknown>, known: string[]): SettingRow[] =>
  Object.entries(settings)
    .filter(([key]) => !known.includes(key))
    .map(([key, value]) => ({ key, text: textOfSetting(value) }));

/** The settings that rows stand for. A row without a name is not there yet. */
export const settingsOf = (rows: SettingRow[]): Record<string, unknown> =>
  Object.fromEntries(rows.filter(({ key }) => key !== '').map(({ key, text }) => [key, settingOf(text)]));

/** Whether the service would drop a setting in place of saving it: it does where it is null, unless it is `saved` so. */
export const isDropped = (value: unknown, saved: unknown): boolean => value === null && saved !== null;

/** What is wrong with a row, so that it stands for no setting yet. */
export type RowFault = 'nameless' | 'taken' | 'null';

/**
 * What is wrong with a row: a value without a name, unless one is `saved` so; a name that another row has, or a field of the form; null, by which the
 * service drops a setting, unless that is, too. An empty row is not wrong.
 */
export function faultOf(
  rows: SettingRow[],
  index: number,
  known: string[],
  saved: Record<string, unknown>,
): RowFault | undefined {
  const { key, text } = rows[index] ?? { key: '', text: '' };
  if (key === '') return text === '' || Object.hasOwn(saved, key) ? undefined : 'nameless';
  if (known.includes(key) || rows.findIndex((row) => row.key === key) < index) return 'taken';
  return isDropped(settingOf(text), saved[key]) ? 'null' : undefined;
}
