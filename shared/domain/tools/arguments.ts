import { type ValidationResult, Validator } from '@cfworker/json-schema';
import { Invalid, truncateKey } from '../../errors.ts';
import { isObject, type Schema } from './parameters.ts';
import { isTimeout, runBounded, type TimeBudget } from './run-bounded.ts';

/** Returns the time for all checks of a request together. */
export const createCheckBudget = (): TimeBudget => ({ ms: 500 });

/** Keywords that are checked, in addition to those that hold schemas. The others are for the model: checking some could take very long, or fail. */
const plainKeywords = [
  ...['type', 'required', 'enum', 'const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
];

/** Keeps the keywords that are checked. Keeps all names of properties. */
function simplify(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (plainKeywords.includes(key)) return [[key, value]];
    if (['items', 'additionalProperties', 'not'].includes(key)) return [[key, simplify(value)]];
    if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(key) && Array.isArray(value))
      return [[key, value.map(simplify)]];
    if (key !== 'properties' || !isObject(value)) return [];
    return [[key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, simplify(one)]))]];
  });
  return Object.fromEntries(entries);
}

/** Copies JSON into objects without a prototype: the validator asks with `in`, and finds `toString` in any other. */
const copyBare = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json), (_, value) => (isObject(value) ? Object.setPrototypeOf(value, null) : value));

/**
 * Validates arguments. Throws Invalid if it takes too long: parameters of a few KB may apply to each of 100,000 values. Also if a name has
 * half a surrogate pair, which the validator cannot write in the place of an error.
 */
function validate(parameters: Schema, given: unknown, budget: TimeBudget): ValidationResult {
  try {
    return runBounded(budget, () =>
      new Validator(copyBare(simplify(parameters)) as object, '2020-12', true).validate(copyBare(given)),
    );
  } catch (error) {
    if (!isTimeout(error) && !(error instanceof URIError)) throw error;
    const msg = isTimeout(error)
      ? 'The arguments of the calls so far take too long to check: send fewer'
      : 'The names of arguments should be valid Unicode';
    throw new Invalid([{ loc: ['body', 'arguments'], msg, type: 'argument' }]);
  }
}

/** Throws Invalid if arguments do not fit a tool's parameters. Stops early. */
export function checkArguments(parameters: Schema, given: unknown, budget = createCheckBudget()): void {
  const { valid, errors } = validate(parameters, given, budget);
  if (valid) return;
  // The errors of an object name those of its properties too: the innermost say most.
  const inner = errors.filter(({ keyword }) => !['properties', 'items', 'anyOf', 'oneOf', 'allOf'].includes(keyword));
  const faults = (inner.length > 0 ? inner : errors).slice(0, 20).map(({ instanceLocation, error }) => ({
    loc: ['body', 'arguments', ...instanceLocation.split('/').slice(1).map(truncateKey)],
    msg: error.slice(0, 300).toWellFormed(),
    type: 'argument',
  }));
  throw new Invalid(faults);
}
