import { type Bounds, limits } from './limits.ts';
import { writeNamedLines } from './named-lines.ts';
import { toOneLine } from './text.ts';
import { Unreadable } from './unreadable.ts';

/** Object or array whose values are being listed, from the one at `next`. */
interface OpenValue {
  path: string;
  value: object;
  /** Keys of an object. An array has none. */
  keys: string[] | undefined;
  next: number;
}

const joinPath = (path: string, key: string) => (path ? `${path}.${key}` : key);

/** Returns the next value with its name: its path, or only its own key. Undefined after the last. */
function takeNext(from: OpenValue, hasPaths: boolean): { name: string; value: unknown } | undefined {
  const { path, value, keys } = from;
  const values = value as Record<string | number, unknown>;
  const i = from.next++;
  if (i >= (keys?.length ?? Number(values.length))) return undefined;
  const key = keys?.[i];
  if (key === undefined) return { name: hasPaths ? `${path}[${i}]` : '', value: values[i] };
  const name = toOneLine(key);
  return { name: hasPaths ? joinPath(path, name) : name, value: values[key] };
}

/**
 * Adds one line per value, such as `orders[0].customer: Anna`, until `add` returns false. Without paths, values have their own keys
 * only, and so have objects and arrays, on a line before their values. Goes value by value: all values with their paths take gigabytes.
 */
function writeValues(root: unknown, hasPaths: boolean, add: (line: string) => boolean): void {
  const open: OpenValue[] = []; // a stack instead of recursion
  const write = (name: string, value: unknown): boolean => {
    if (open.length > limits.depth) throw new Unreadable('too_deep');
    if (typeof value === 'object' && value !== null) {
      open.push({ path: name, value, keys: Array.isArray(value) ? undefined : Object.keys(value), next: 0 });
      return hasPaths || !name || add(name);
    }
    if (value === null || value === '') return true;
    const text = toOneLine(String(value));
    return add(name ? `${name}: ${text}` : text);
  };
  let fits = write('', root);
  for (let last = open.at(-1); fits && last; last = open.at(-1)) {
    const next = takeNext(last, hasPaths);
    if (next) fits = write(next.name, next.value);
    else open.pop();
  }
}

/** Characters of a number, and the colon after it if it is the name of a value. Never matches a part of them, which takes time. */
const number = /(-?\d[\d.e+-]*)(\s*:)?/gi;

/** Number as JSON allows it. */
const validNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Puts numbers that JavaScript would write in another way in quotes, such as `10.50`. Goes one by one: all matches take a gigabyte. */
function quoteNumbers(json: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { 0: all, 1: digits = '', 2: colon, index } of json.matchAll(number)) {
    if (colon || !validNumber.test(digits) || String(Number(digits)) === digits) continue;
    parts.push(json.slice(at, index), `"${digits}"`);
    at = index + all.length;
  }
  parts.push(json.slice(at));
  return parts.join('');
}

/** Returns the end of the string that starts here, or of the text if it has none. */
function findStringEnd(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === '"') return at + 1;
    if (json[at] === '\\') at++;
  }
  return json.length;
}

/** Quotes the numbers that would change. A reviver, which sees their source, would take seconds and a gigabyte for the largest files. */
function keepNumbers(json: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let quote = json.indexOf('"'); quote >= 0; quote = json.indexOf('"', at)) {
    const end = findStringEnd(json, quote);
    parts.push(quoteNumbers(json.slice(at, quote)), json.slice(quote, end));
    at = end;
  }
  return parts.join('') + quoteNumbers(json.slice(at));
}

/**
 * Returns one line per value, such as `orders[0].customer: Anna`. Omits null and empty strings. Throws Unreadable if the text is
 * nested too deeply or too large, and SyntaxError if it is not JSON.
 */
export function parseJson(json: string, bounds: Bounds): string {
  const root: unknown = JSON.parse(keepNumbers(json));
  return writeNamedLines((repeatsNames, add) => writeValues(root, repeatsNames, add), bounds);
}
