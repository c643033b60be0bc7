import { type Fault, truncateKey } from '../../errors.ts';

export type Schema = Record<string, unknown>;

const maxDepth = 8;
const maxProperties = 100;
const maxEntries = 1_000;
const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

export const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length <= maxEntries;
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;

/** Checks of the values of JSON Schema's keywords, with what they take. Those that hold schemas are below. */
const keywords: Record<string, [isValid: (value: unknown) => boolean, what: string]> = {
  type: [
    (value) => [value].flat().length > 0 && [value].flat().every((one) => types.includes(String(one))),
    `one of ${types.join(', ')}, or a list of them`,
  ],
  required: [(value) => isList(value) && value.every(isText), 'a list of at most 1,000 names of properties'],
  enum: [(value) => isList(value) && value.length > 0, 'a list of 1 to 1,000 values'],
  description: [isText, 'text'],
  title: [isText, 'text'],
  pattern: [isText, 'text'],
  format: [isText, 'text'],
  minimum: [isNumber, 'a number'],
  maximum: [isNumber, 'a number'],
  exclusiveMinimum: [isNumber, 'a number'],
  exclusiveMaximum: [isNumber, 'a number'],
  multipleOf: [(value) => isNumber(value) && Number(value) > 0, 'a number above 0'],
  minLength: [isCount, 'a whole number from 0'],
  maxLength: [isCount, 'a whole number from 0'],
  minItems: [isCount, 'a whole number from 0'],
  maxItems: [isCount, 'a whole number from 0'],
  minProperties: [isCount, 'a whole number from 0'],
  maxProperties: [isCount, 'a whole number from 0'],
  uniqueItems: [(value) => typeof value === 'boolean', 'true or false'],
};

/** A schema inside another, with its place. */
type Inner = [loc: string[], value: unknown];

/** Keywords that hold a schema, a list of schemas, or schemas by name. */
const schemaKeywords = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'];
const listKeywords = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const mapKeywords = ['properties', 'patternProperties', 'dependentSchemas'];

/** Lists the schemas directly inside a schema, and the faults of the keywords that hold them. */
function listInner(schema: Schema, loc: string[]): { inner: Inner[]; faults: Fault[] } {
  const inner: Inner[] = [];
  const faults: Fault[] = [];
  const refuse = (key: string, what: string) =>
    faults.push({ loc: [...loc, key], msg: `Input should be ${what}`, type: 'parameters' });
  for (const [key, value] of Object.entries(schema)) {
    if (schemaKeywords.includes(key)) {
      if (isObject(value)) inner.push([[...loc, key], value]);
      else if (typeof value !== 'boolean') refuse(key, 'a JSON Schema');
    } else if (listKeywords.includes(key)) {
      if (Array.isArray(value)) inner.push(...value.map((one, i): Inner => [[...loc, key, String(i)], one]));
      else refuse(key, 'a list of JSON Schemas');
    } else if (mapKeywords.includes(key)) {
      if (isObject(value))
        inner.push(...Object.entries(value).map(([name, one]): Inner => [[...loc, key, truncateKey(name)], one]));
      else refuse(key, 'an object of JSON Schemas');
    }
  }
  return { inner, faults };
}

/**
 * Lists what is wrong with the JSON Schema of a tool's arguments: keywords with values of the wrong kind, references, and more than
 * 100 schemas or eight levels of them.
 */
export function findParametersFaults(parameters: Schema, place: string[]): Fault[] {
  const faults: Fault[] = [];
  const waiting: [Inner, depth: number][] = [[[place, parameters], 1]];
  for (let seen = 0; waiting.length > 0; seen++) {
    const [[loc, schema], depth] = waiting.shift() as [Inner, number];
    const refuse = (msg: string, at = loc) => faults.push({ loc: at, msg, type: 'parameters' });
    if (seen > maxProperties) {
      refuse('The arguments should have at most 100 properties in all', place);
      return faults;
    }
    if (depth > maxDepth) {
      refuse('The schema should have at most eight levels');
      continue;
    }
    if (typeof schema === 'boolean') continue;
    if (!isObject(schema)) {
      refuse('Input should be a JSON Schema');
      continue;
    }
    for (const [key, value] of Object.entries(schema)) {
      const [isValid, what] = (Object.hasOwn(keywords, key) && keywords[key]) || [];
      if (isValid && !isValid(value)) refuse(`Input should be ${what}`, [...loc, key]);
      if (key.startsWith('$') || key === 'definitions')
        refuse('References are not supported: write the schema out', [...loc, truncateKey(key)]);
    }
    const { inner, faults: found } = listInner(schema, loc);
    faults.push(...found);
    waiting.push(...inner.map((one): [Inner, number] => [one, depth + 1]));
  }
  return faults;
}
