import { type Bounds, limits } from './bounds.ts';
import { inline } from './text.ts';
import { Unreadable } from './unreadable.ts';

/** A value that is still to be read, and the way to it. */
interface Place {
  path: string;
  depth: number;
  value: unknown;
}

const within = (path: string, key: string) => (path ? `${path}.${key}` : key);

function partsOf({ path, depth, value }: Place): Place[] {
  const deeper = depth + 1;
  if (!Array.isArray(value)) {
    const entries = Object.entries(value as object);
    return entries.map(([key, part]) => ({ path: within(path, inline(key)), depth: deeper, value: part }));
  }
  return value.map((part, i) => ({ path: `${path}[${i}]`, depth: deeper, value: part }));
}

/**
 * One line for each value, `path: value`, as in `orders[0].customer: Anna`; null and empty text are left out. Throws
 * Unreadable where it is no JSON, is nested too deep, or is larger than JSON may be.
 */
export function textOfJson(json: string, bounds: Bounds): string {
  if (json.length > limits.json) {
    throw new Unreadable('too_large', 'A JSON file may have at most 10 MB: split it, then upload its parts');
  }
  const lines: string[] = [];
  const open: Place[] = [{ path: '', depth: 0, value: JSON.parse(json) }]; // last in, first out: no depth of calls
  for (let place = open.pop(); place; place = open.pop()) {
    const { path, depth, value } = place;
    if (depth > limits.depth) throw new Unreadable('too_deep');
    if (typeof value === 'object' && value !== null) {
      for (const part of partsOf(place).reverse()) open.push(part);
    } else if (value !== null && value !== '') {
      const text = inline(String(value));
      lines.push(bounds.take(path ? `${path}: ${text}` : text));
    }
  }
  return lines.join('\n');
}
