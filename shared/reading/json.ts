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

/**
 * Returns one line per value, such as `orders[0].customer: Anna`. Omits null and empty strings. Throws Unreadable if the text is
 * nested too deeply or too large, and SyntaxError if it is not JSON.
 */
export function parseJson(json: string, bounds: Bounds): string {
  if (json.length > limits.jsonBytes) {
    throw new Unreadable('too_large', 'A JSON file may have at most 10 MB: split it, then upload its parts');
  }
  const lines: string[] = [];
  const open: PendingValue[] = [{ path: '', depth: 0, value: JSON.parse(json) }]; // a stack instead of recursion
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
