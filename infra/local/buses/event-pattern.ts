type Matcher = (value: unknown) => boolean;

/** Compiles one item of a pattern's list: an exact value, or a prefix of a string. */
function compileValue(item: unknown): Matcher {
  if (typeof item !== 'object' || item === null) return (value) => value === item;
  const [[operator, prefix] = ['nothing', ''], ...others] = Object.entries(item);
  if (operator === 'prefix' && typeof prefix === 'string' && others.length === 0)
    return (value) => typeof value === 'string' && value.startsWith(prefix);
  throw new Error(`The local host does not support ${JSON.stringify(item)} in an event pattern`);
}

/**
 * Compiles a pattern of an EventBridge rule or of a stream's filter: nested objects, lists of values and prefixes. Throws on anything
 * else, so that it never matches more or less than on AWS.
 */
export function compileEventPattern(pattern: unknown): Matcher {
  if (Array.isArray(pattern)) {
    const items = pattern.map(compileValue);
    // A list in the event matches if any of its values does.
    return (value) => [value].flat().some((one) => items.some((matches) => matches(one)));
  }
  if (typeof pattern !== 'object' || pattern === null)
    throw new Error(`The local host does not support ${JSON.stringify(pattern)} in an event pattern`);
  const fields = Object.entries(pattern).map(([name, inner]) => [name, compileEventPattern(inner)] as const);
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    fields.every(([name, matches]) => matches((value as Record<string, unknown>)[name]));
}
