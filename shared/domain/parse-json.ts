/** Maximum nesting of JSON of others, in levels. Some thousands can be parsed, but no longer written, nor read by what recurses. */
const maxDepth = 100;

/** Returns true if a JSON text is nested more than 100 levels deep. */
function isTooDeep(json: string): boolean {
  let depth = 0;
  let isText = false;
  for (let i = 0; i < json.length; i++) {
    const character = json[i];
    if (isText && character === '\\') i += 1;
    else if (character === '"') isText = !isText;
    else if (!isText && (character === '[' || character === '{')) depth += 1;
    else if (!isText && (character === ']' || character === '}')) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** Parses JSON of a vendor, model or tool. Throws SyntaxError, or RangeError if it is nested more than 100 levels deep. */
export function parseJson(json: string): unknown {
  if (isTooDeep(json)) throw new RangeError(`JSON should be nested at most ${maxDepth} levels deep`);
  return JSON.parse(json);
}
