import fc, { type Arbitrary } from 'fast-check';
import { type Schema, schemaOf } from './document.ts';
import { kept, key, odd, placeholder, text } from './odd.ts';

const typesOf = ({ type }: Schema): string[] => [type ?? []].flat();

/** Fields that hold the id of something that is there, by their names; in bodies, one is called plainly `id`. */
const idNames: Record<string, string> = { id: 'api_key_id' };

const matching = new Map<string, Arbitrary<string>>();

/** Texts of a pattern. They are slow to draw, so some are drawn for all. */
function textsLike(pattern: string): Arbitrary<string> {
  const known = matching.get(pattern);
  if (known) return known;
  const drawn = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 60, seed: 1 });
  const texts = fc.constantFrom(...drawn.sort((one, other) => one.length - other.length));
  matching.set(pattern, texts);
  return texts;
}

/** Text of so many characters, within bounds that JSON Schema counts in code points. */
function textOf({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema): Arbitrary<string> {
  const isAnchored = pattern?.startsWith('^') ?? false;
  const holds = (found: string) => {
    const { length } = [...found];
    return length >= minLength && length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(found));
  };
  const any = isAnchored ? textsLike(pattern ?? '') : text;
  const fitting = fc
    .oneof({ weight: 5, arbitrary: any }, { weight: isAnchored ? 1 : 0, arbitrary: text })
    .filter(holds);
  if (maxLength === Number.POSITIVE_INFINITY) return fitting;
  const filled = fc.constantFrom('x', maxLength > 300 ? 'é' : '𝒳').map((letter) => letter.repeat(maxLength));
  return fc.oneof({ weight: 20, arbitrary: fitting }, { weight: 1, arbitrary: filled.filter(holds) });
}

/** A moment far ahead, in the ways of RFC 3339: what expires must be one, and of other times it does not matter. */
const moment = fc
  .date({ min: new Date('2100-01-01'), max: new Date('9999-01-01'), noInvalidDate: true })
  .chain((date) =>
    fc.constantFrom('Z', '+00:00', '-11:30', '+14:00', 'z').map((zone) => date.toISOString().slice(0, -1) + zone),
  );

const formats: Record<string, Arbitrary<string>> = {
  uuid: fc.uuid(),
  'date-time': moment,
  uri: fc.webPath().map((path) => `https://example.com${path}`),
};

function stringOf(schema: Schema, name: string): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const kind = idNames[name] ?? name;
  if (schema.format === 'uuid')
    return fc.oneof({ weight: 9, arbitrary: placeholder(kind) }, { weight: 1, arbitrary: fc.uuid() });
  return formats[schema.format ?? ''] ?? textOf(schema);
}

function objectOf({
  properties = {},
  required = [],
  additionalProperties,
}: Schema): Arbitrary<Record<string, unknown>> {
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valid(schema, name)])),
    { requiredKeys: required },
  );
  if (!additionalProperties) return named;
  const others = fc.dictionary(
    key.filter((name) => !Object.hasOwn(properties, name)),
    kept,
    { maxKeys: 3 },
  );
  return fc.tuple(named, others).map(([one, other]) => ({ ...other, ...one }));
}

const ofType: Record<string, (schema: Schema, name: string) => Arbitrary<unknown>> = {
  string: stringOf,
  integer: ({ minimum: min = -1_000, maximum: max = 1_000 }) => fc.integer({ min, max }),
  number: ({ minimum: min = -1e6, maximum: max = 1e6 }) => fc.double({ min, max, noNaN: true }),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: ({ items = {}, minItems: minLength = 0, maxItems = 1_000 }, name) =>
    fc.array(valid(items, name), { minLength, maxLength: Math.min(maxItems, minLength + 5) }),
  object: objectOf,
};

/** Any value of a schema. `name` is that of the field: one that is called like an id holds an id. */
export function valid(reference: Schema, name = ''): Arbitrary<unknown> {
  const schema = schemaOf(reference);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valid(one, name)));
  const types = typesOf(schema);
  if (types.length === 0) return kept;
  return fc.oneof(
    ...types.map((type) => ({
      weight: type === 'null' ? 1 : 5,
      arbitrary: (ofType[type] ?? (() => kept))(schema, name),
    })),
  );
}

/** A bound passed by one. */
function* beyond({ maxLength, minLength = 0, minimum, maximum, maxItems, minItems = 0, items }: Schema) {
  if (maxLength !== undefined) yield fc.constant('x'.repeat(maxLength + 1));
  if (minLength > 0) yield fc.constant('x'.repeat(minLength - 1));
  if (maximum !== undefined) yield fc.constant(maximum + 1);
  if (minimum !== undefined) yield fc.constant(minimum - 1);
  if (maxItems !== undefined && items) {
    yield fc.array(valid(items), { minLength: 1, maxLength: 1 }).map(([one]) => Array(maxItems + 1).fill(one));
  }
  if (minItems > 0) yield fc.constant([]);
}

/** One field of an object is missing, too much, or wrong itself. */
function* brokenFields(schema: Schema): Generator<Arbitrary<unknown>> {
  const { properties = {}, required = [] } = schema;
  const whole = objectOf(schema);
  for (const name of required) yield whole.map(({ [name]: _, ...rest }) => rest);
  yield fc
    .tuple(whole, text, odd)
    .map(([value, name, extra]) => Object.fromEntries([...Object.entries(value), [name, extra]]));
  yield fc
    .tuple(whole, odd)
    .map(([value, extra]) => Object.fromEntries([...Object.entries(value), ['__proto__', extra]]));
  const wrong = Object.entries(properties).map(([name, inner]) =>
    nearly(inner, name).map((value) => [name, value] as const),
  );
  if (wrong.length > 0) {
    // Most of what is wrong is in a field.
    const field = fc
      .tuple(whole, fc.oneof(...wrong))
      .map(([value, entry]) => ({ ...value, ...Object.fromEntries([entry]) }));
    yield* [field, field, field, field];
  }
}

function* faulty(schema: Schema, name: string): Generator<Arbitrary<unknown>> {
  yield* beyond(schema);
  if (typesOf(schema).includes('object')) yield* brokenFields(schema);
  for (const one of schema.anyOf ?? []) yield nearly(one, name);
  if (schema.items)
    yield fc.tuple(valid(schema), nearly(schema.items, name)).map(([all, one]) => [[all].flat(), one].flat());
  if (schema.format === 'uuid' || schema.pattern || schema.enum) {
    yield fc
      .tuple(valid(schema, name), fc.constantFrom('x', ' ', '\n', '-', 'é'))
      .map(([value, more]) => `${value}${more}`);
  }
}

/** A value that is not quite of a schema; now and then it is. */
export function nearly(reference: Schema, name = ''): Arbitrary<unknown> {
  const schema = schemaOf(reference);
  return fc.oneof(
    { weight: 1, arbitrary: odd },
    ...[...faulty(schema, name)].map((arbitrary) => ({ weight: 1, arbitrary })),
  );
}
