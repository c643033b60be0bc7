import { type Bounds, limits } from './limits.ts';
import { toOneLine } from './text.ts';
import { Unreadable } from './unreadable.ts';

/** Value that is not processed yet, and the path to it. */
interface PendingValue {
  path: string;
  depth: number;
  value: unknown;
}

const joinPath = (path: string, key: string) => (path ? `${path}.${key}` : key);

function listChildren({ path, depth, value }: PendingValue): PendingValue[] {
  const deeper = depth + 1;
  if (!Array.isArray(value)) {
    const entries = Object.entries(value as object);
    return entries.map(([key, part]) => ({ path: joinPath(path, toOneLine(key)), depth: deeper, value: part }));
  }
  return value.map((part, i) => ({ path: `${path}[${i}]`, depth: deeper, value: part }));
}

/** Characters of a number, and the colon after it if it is the name of a value. Never matches a part of them, which takes time. */
const number = /(-?\d[\d.e+-]*)(\s*:)?/gi;

/** Number as JSON allows it. */
const validNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Puts numbers that JavaScript would write in another way in quotes, such as `10.50`. */
const quoteNumbers = (json: string) =>
  json.replace(number, (all, digits: string, colon: string | undefined) =>
    colon || !validNumber.test(digits) || String(Number(digits)) === digits ? all : `"${digits}"`,
  );

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
  if (json.length > limits.jsonBytes) {
    throw new Unreadable('too_large', 'A JSON file may have at most 10 MB: split it, then upload its parts');
  }
  const lines: string[] = [];
  const open: PendingValue[] = [{ path: '', depth: 0, value: JSON.parse(keepNumbers(json)) }]; // a stack instead of recursion
  for (let place = open.pop(); place; place = open.pop()) {
    const { path, depth, value } = place;
    if (depth > limits.depth) throw new Unreadable('too_deep');
    if (typeof value === 'object' && value !== null) {
      for (const part of listChildren(place).reverse()) open.push(part);
    } else if (value !== null && value !== '') {
      const text = toOneLine(String(value));
      lines.push(bounds.limitText(path ? `${path}: ${text}` : text));
    }
  }
  return lines.join('\n');
}
