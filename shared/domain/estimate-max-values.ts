import { TooLarge } from '../errors.ts';

const toCode = (character: string) => character.charCodeAt(0);
const [quote, backslash, comma, colon, list, object] = ['"', '\\', ',', ':', '[', '{'].map(toCode);
const [zero, nine, letterU] = ['0', '9', 'u'].map(toCode) as [number, number, number];

/** Memory of an object with a key that is a number, up to 390 bytes, in values of about 40 bytes. */
const numericKeyValues = 9;

/** Returns true if a text of JSON, from a place to its closing quote, is a key, and has digits only, also escaped ones. */
function isNumericKey(json: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const code = json.charCodeAt(i);
    if ((code < zero || code > nine) && code !== backslash && code !== letterU) return false;
  }
  let next = to + 1;
  while (/\s/.test(json.charAt(next))) next++;
  return to > from && json.charCodeAt(next) === colon;
}

/**
 * Returns an upper bound of the number of values in a JSON text. Counts a key that is a number as nine values, which it takes in memory: V8
 * gives its object an array with as many places, or a table. Parsed, even the smallest value takes many times its text.
 */
export function estimateMaxValues(json: string): number {
  let values = 1;
  let textStart: number | undefined;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (textStart === undefined) {
      if (code === quote) textStart = i + 1;
      else if (code === comma || code === list || code === object) values += 1;
    } else if (code === backslash) {
      i += 1;
    } else if (code === quote) {
      if (isNumericKey(json, textStart, i)) values += numericKeyValues;
      textStart = undefined;
    }
  }
  return values;
}

/** Throws TooLarge if a JSON text has more than `max` values. `what` names it in the message. */
export function checkMaxValues(json: string, max: number, what: string): void {
  if (estimateMaxValues(json) <= max) return;
  const limit = `${what} may have at most ${max.toLocaleString('en')} JSON values (a key that is a number counts as nine)`;
  throw new TooLarge(['body'], limit);
}
