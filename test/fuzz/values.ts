import fc, { type Arbitrary } from 'fast-check';
import { resolveSchema, type Schema } from './document.ts';
import { generatePlaceholder, objectKey, oddValue, storableJson, text } from './odd-values.ts';

const listTypes = ({ type }: Schema): string[] => [type ?? []].flat();

/** Placeholder kinds of fields with another name. The only plain `id` in a body is that of an API key. */
const idNames: Record<string, string> = { id: 'api_key_id', knowledge_base_ids: 'knowledge_base_id' };

/** Keys that no object can have. */
const reservedKeys = ['__proto__', 'constructor', 'prototype'];

const textsByPattern = new Map<string, Arbitrary<string>>();

/** Generates texts that match a pattern. Generating is slow, so each pattern gets 60 texts once. */
function generateMatchingText(pattern: string): Arbitrary<string> {
  const known = textsByPattern.get(pattern);
  if (known) return known;
  const drawn = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 60, seed: 1 });
  const texts = fc.constantFrom(...drawn.sort((one, other) => one.length - other.length));
  textsByPattern.set(pattern, texts);
  return texts;
}

/** Generates text within the length bounds, which JSON Schema counts in code points. */
function generateText({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema): Arbitrary<string> {
  const isAnchored = pattern?.startsWith('^') ?? false;
  const isValid = (found: string) => {
    const { length } = [...found];
    return length >= minLength && length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(found));
  };
  const any = isAnchored ? generateMatchingText(pattern ?? '') : text;
  const fitting = fc
    .oneof({ weight: 5, arbitrary: any }, { weight: isAnchored ? 1 : 0, arbitrary: text })
    .filter(isValid);
  if (maxLength === Number.POSITIVE_INFINITY) return fitting;
  const filled = fc.constantFrom('x', maxLength > 300 ? 'é' : '𝒳').map((letter) => letter.repeat(maxLength));
  return fc.oneof({ weight: 20, arbitrary: fitting }, { weight: 1, arbitrary: filled.filter(isValid) });
}

/** Times after 2100 in the notations of RFC 3339. An expiry must be in the future, other fields accept any time. */
const timestamp = fc
  .date({ min: new Date('2100-01-01'), max: new Date('9999-01-01'), noInvalidDate: true })
  .chain((date) =>
    fc.constantFrom('Z', '+00:00', '-11:30', '+14:00', 'z').map((zone) => date.toISOString().slice(0, -1) + zone),
  );

const formats: Record<string, Arbitrary<string>> = {
  uuid: fc.uuid(),
  'date-time': timestamp,
  date: fc
    .date({ min: new Date('2026-11-01'), max: new Date('2026-11-30'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  'time-zone': fc.constantFrom('UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'),
  uri: fc.webPath().map((path) => `https://example.com${path}`),
};

function generateString(schema: Schema, name: string): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const kind = idNames[name] ?? name;
  if (schema.format === 'uuid')
    return fc.oneof({ weight: 9, arbitrary: generatePlaceholder(kind) }, { weight: 1, arbitrary: fc.uuid() });
  return formats[schema.format ?? ''] ?? generateText(schema);
}

function generateObject({
  properties = {},
  required = [],
  additionalProperties,
  propertyNames,
  maxProperties = 1_000,
}: Schema): Arbitrary<Record<string, unknown>> {
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, generateValid(schema, name)])),
    { requiredKeys: required },
  );
  if (!additionalProperties) return named;
  if (typeof additionalProperties === 'object') {
    const name = propertyNames ? generateText(propertyNames).filter((one) => !reservedKeys.includes(one)) : objectKey;
    return fc.dictionary(name, generateValid(additionalProperties), {
      maxKeys: Math.min(3, maxProperties),
    }) as Arbitrary<Record<string, unknown>>;
  }
  const others = fc.dictionary(
    objectKey.filter((name) => !Object.hasOwn(properties, name)),
    storableJson,
    { maxKeys: 3 },
  );
  return fc.tuple(named, others).map(([one, other]) => ({ ...other, ...one }));
}

const generatorsByType: Record<string, (schema: Schema, name: string) => Arbitrary<unknown>> = {
  string: generateString,
  integer: ({ minimum: min = -1_000, maximum: max = 1_000 }) => fc.integer({ min, max }),
  number: ({ minimum: min = -1e6, maximum: max = 1e6 }) => fc.double({ min, max, noNaN: true }),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: ({ items = {}, minItems: minLength = 0, maxItems = 1_000 }, name) =>
    fc.array(generateValid(items, name), { minLength, maxLength: Math.min(maxItems, minLength + 5) }),
  object: generateObject,
};

/** Generates values that match a schema. The field's name decides the placeholder of an id. */
export function generateValid(reference: Schema, name = ''): Arbitrary<unknown> {
  const schema = resolveSchema(reference);
  if ('const' in schema) return fc.constant(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((one) => generateValid(one, name)));
  const types = listTypes(schema);
  if (types.length === 0) return storableJson;
  return fc.oneof(
    ...types.map((type) => ({
      weight: type === 'null' ? 1 : 5,
      arbitrary: (generatorsByType[type] ?? (() => storableJson))(schema, name),
    })),
  );
}

/** Yields values that exceed a bound by one. */
function* listOutOfBounds({ maxLength, minLength = 0, minimum, maximum, maxItems, minItems = 0, items }: Schema) {
  if (maxLength !== undefined) yield fc.constant('x'.repeat(maxLength + 1));
  if (minLength > 0) yield fc.constant('x'.repeat(minLength - 1));
  if (maximum !== undefined) yield fc.constant(maximum + 1);
  if (minimum !== undefined) yield fc.constant(minimum - 1);
  if (maxItems !== undefined && items) {
    yield fc.array(generateValid(items), { minLength: 1, maxLength: 1 }).map(([one]) => Array(maxItems + 1).fill(one));
  }
  if (minItems > 0) yield fc.constant([]);
}

/** Yields objects with a missing, unknown or invalid field. */
function* listBrokenObjects(schema: Schema): Generator<Arbitrary<unknown>> {
  const { properties = {}, required = [] } = schema;
  const whole = generateObject(schema);
  for (const name of required) yield whole.map(({ [name]: _, ...rest }) => rest);
  yield fc
    .tuple(whole, text, oddValue)
    .map(([value, name, extra]) => Object.fromEntries([...Object.entries(value), [name, extra]]));
  yield fc
    .tuple(whole, oddValue)
    .map(([value, extra]) => Object.fromEntries([...Object.entries(value), ['__proto__', extra]]));
  const wrong = Object.entries(properties).map(([name, inner]) =>
    generateNearlyValid(inner, name).map((value) => [name, value] as const),
  );
  if (wrong.length > 0) {
    // Four times as likely as each other defect.
    const field = fc
      .tuple(whole, fc.oneof(...wrong))
      .map(([value, entry]) => ({ ...value, ...Object.fromEntries([entry]) }));
    yield* [field, field, field, field];
  }
}

function* listInvalid(schema: Schema, name: string): Generator<Arbitrary<unknown>> {
  yield* listOutOfBounds(schema);
  if (listTypes(schema).includes('object')) yield* listBrokenObjects(schema);
  for (const one of schema.anyOf ?? schema.oneOf ?? []) yield generateNearlyValid(one, name);
  if (schema.items)
    yield fc
      .tuple(generateValid(schema), generateNearlyValid(schema.items, name))
      .map(([all, one]) => [[all].flat(), one].flat());
  if (schema.format === 'uuid' || schema.pattern || schema.enum) {
    yield fc
      .tuple(generateValid(schema, name), fc.constantFrom('x', ' ', '\n', '-', 'é'))
      .map(([value, more]) => `${value}${more}`);
  }
}

/** Generates values that nearly match a schema. Some of them match. */
export function generateNearlyValid(reference: Schema, name = ''): Arbitrary<unknown> {
  const schema = resolveSchema(reference);
  return fc.oneof(
    { weight: 1, arbitrary: oddValue },
    ...[...listInvalid(schema, name)].map((arbitrary) => ({ weight: 1, arbitrary })),
  );
}
