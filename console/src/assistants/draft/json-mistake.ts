/** Token that was expected where a text stops being JSON. */
export type Expected = 'value' | 'name' | 'colon' | 'comma' | 'end' | 'quote';

/** Position where a text stops being JSON: `at` counts from 0, line and column from 1. */
export interface JsonMistake {
  at: number;
  line: number;
  column: number;
  expected: Expected;
}

const space = /[ \t\n\r]*/y;
const token =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings cannot contain any
  /[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null/y;

function readToken(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/**
 * Finds the first syntax error in JSON; undefined in valid JSON. Browsers' error messages often have no position.
 */
export function findJsonMistake(text: string): JsonMistake | undefined {
  /** Closing brackets of the open objects and arrays, innermost last. */
  const open: string[] = [];
  let expected: Expected = 'value';
  let isEmpty = false;
  let at = 0;
  for (;;) {
    at += readToken(space, text, at).length;
    const found = readToken(token, text, at);
    if (found === '' && at === text.length && expected === 'end') return undefined;
    const isClosing = found === open.at(-1) && (expected === 'comma' || isEmpty);
    isEmpty = false;
    if (isClosing) open.pop();
    if (isClosing || (expected === 'value' && /^["\w-]/.test(found))) expected = open.length > 0 ? 'comma' : 'end';
    else if (expected === 'value' && /^[{[]/.test(found)) {
      open.push(found === '{' ? '}' : ']');
      expected = found === '{' ? 'name' : 'value';
      isEmpty = true;
    } else if (expected === 'name' && found.startsWith('"')) expected = 'colon';
    else if (expected === 'colon' && found === ':') expected = 'value';
    else if (expected === 'comma' && found === ',') expected = open.at(-1) === '}' ? 'name' : 'value';
    else {
      const before = text.slice(0, at).split('\n');
      const column = (before.at(-1)?.length ?? 0) + 1;
      return { at, line: before.length, column, expected: found === '' && text[at] === '"' ? 'quote' : expected };
    }
    at += found.length;
  }
}
