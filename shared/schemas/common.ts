import * as v from 'valibot';
import { define } from '../define.ts';
import { parseTimestamp } from '../timestamp.ts';

/**
 * Creates a valibot check. `type` becomes the `type` of the fault in the response. `requirement` is the bound in the OpenAPI document.
 */
export function rule<const Type extends string, Input, Requirement>(
  type: Type,
  requirement: Requirement,
  message: string,
  isValid: (value: Input) => boolean,
) {
  return {
    kind: 'validation' as const,
    type,
    reference: rule,
    async: false as const,
    expects: null,
    requirement,
    message,
    '~run'(dataset: v.OutputDataset<Input, v.BaseIssue<unknown>>, config: v.Config<v.BaseIssue<unknown>>) {
      if (dataset.typed && !isValid(dataset.value)) v._addIssue(this as never, type, dataset, config);
      return dataset;
    },
  } as unknown as v.BaseValidation<Input, Input, v.BaseIssue<Input>> & { type: Type; requirement: Requirement };
}

/** Makes an object schema reject arrays, which valibot accepts as objects. */
function rejectArrays<S extends v.GenericSchema>(schema: S): S {
  return {
    ...schema,
    '~run'(dataset, config) {
      return schema['~run'](Array.isArray(dataset.value) ? { value: null } : dataset, config);
    },
  } as S;
}

/** Object schema that drops unknown keys. */
export const object = <E extends v.ObjectEntries>(entries: E) => rejectArrays(v.object(entries));

/** Body of a POST that reads no field: its path says everything. */
export const EmptyBody = /* @__PURE__ */ define(() => object({}));

/** Object schema that keeps unknown keys as sent, such as vendor settings. */
export const openObject = <E extends v.ObjectEntries>(entries: E) => rejectArrays(v.looseObject(entries));

/** Object schema that refuses unknown keys, for bodies where a typo must not go unnoticed. */
export const strictObject = <E extends v.ObjectEntries>(entries: E) => rejectArrays(v.strictObject(entries));

/** Object schema of any keys with values of one kind. */
export const record = <S extends v.GenericSchema>(value: S) => rejectArrays(v.record(v.string(), value));

/** Field that is left out if the schema refuses its value, instead of refusing the body. The response names it in `x-ignored-fields`. */
export const lenient = <S extends v.GenericSchema>(schema: S) => v.fallback(v.nullish(schema), undefined);

/** Returns true if a string has more than `max` Unicode code points, the unit of Pydantic and JSON Schema. */
const isLongerThan = (value: string, max: number) => value.length > max && [...value].length > max;

/** Formats a whole number with thousands separators. `toLocaleString` would load ICU: 5 MB, and a fifth of a function's load time. */
const formatInteger = (n: number) => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');

const formatCharacters = (n: number) => `${formatInteger(n)} character${n === 1 ? '' : 's'}`;

export const minCharacters = (min: number) =>
  rule('string_too_short', min, `Input should have at least ${formatCharacters(min)}`, (s: string) => s.length >= min);

export const maxCharacters = (max: number) =>
  rule(
    'string_too_long',
    max,
    `Input should have at most ${formatCharacters(max)}`,
    (s: string) => !isLongerThan(s, max),
  );

export const maxBytes = (max: number) =>
  rule(
    'bytes_too_long',
    max,
    `Input should have at most ${formatInteger(max)} bytes as UTF-8`,
    (s: string) => Buffer.byteLength(s) <= max,
  );

const notBlank = () => rule('string_blank', 1, 'Input should not be blank', (s: string) => s.trim() !== '');

/** Unicode text of `min` to `max` characters. */
export const Text = (max: number, min = 0) =>
  min > 0 ? v.pipe(v.string(), minCharacters(min), maxCharacters(max)) : v.pipe(v.string(), maxCharacters(max));

/** Text that is not blank. */
export const Name = (max: number) => v.pipe(v.string(), notBlank(), maxCharacters(max));

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** UUID in any case, converted to lower case. */
export const Uuid = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    rule('uuid_parsing', 'uuid', 'Input should be a valid UUID', (s: string) => uuidPattern.test(s)),
    v.toLowerCase(),
  ),
);

/** Timestamp in a response: RFC 3339 in UTC with milliseconds. */
export const Timestamp = /* @__PURE__ */ define(() => v.pipe(v.string(), v.isoTimestamp()));

/** Timestamp from a client: RFC 3339 with any offset. Without an offset, it is UTC. */
export const TimestampInput = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    rule(
      'datetime_parsing',
      'date-time',
      'Input should be a time like 2026-11-21T07:00:00Z',
      (text: string) => text.includes(':') && parseTimestamp(text) !== undefined,
    ),
  ),
);

const languageCodePattern = /^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$/;

/** Language code in a vendor's spelling (`cmn-Hans-CN`, `en_US`, `multi`), stored as sent. */
export const LanguageCode = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    rule(
      'language_code',
      languageCodePattern.source,
      'Not a language code',
      (s: string) => s.length <= 35 && languageCodePattern.test(s),
    ),
  ),
);

/** Checks of a number's bounds. */
export const between = (min: number, max: number) =>
  [
    rule('greater_than_equal', min, `Input should be at least ${min}`, (n: number) => n >= min),
    rule('less_than_equal', max, `Input should be at most ${max}`, (n: number) => n <= max),
  ] as const;

/** List of at most `max` items. Validates one more, which is enough to refuse a list of any length. */
export function List<S extends v.GenericSchema>(item: S, max: number) {
  const list = v.pipe(
    v.array(item),
    rule('too_long', max, `Input should have at most ${max} items`, (items: v.InferOutput<S>[]) => items.length <= max),
  );
  const run: (typeof list)['~run'] = ({ value }, config) =>
    list['~run']({ value: Array.isArray(value) ? value.slice(0, max + 1) : value }, config);
  return { ...list, '~run': run };
}

/** Whole number in a body. */
export const Integer = (min: number, max: number) =>
  v.pipe(
    v.number(),
    rule('int_type', null, 'Input should be a whole number', (n: number) => Number.isInteger(n)),
    ...between(min, max),
  );

/** Whole number in a query string. */
export const QueryInteger = (min: number, max: number) =>
  v.pipe(
    v.string(),
    rule('int_parsing', null, 'Input should be a whole number', (s: string) => /^[+-]?\d{1,15}$/.test(s)),
    v.transform(Number),
    ...between(min, max),
  );

/** Reason of a failure: a stable name for programs, and a message that says what to do. */
export const Reason = /* @__PURE__ */ define(() => v.object({ type: v.string(), msg: v.string() }));
export type Reason = v.InferOutput<typeof Reason>;

/** Schema of a response in the envelope `{status, message, data}`. */
export const Envelope = <S extends v.GenericSchema>(data: S) =>
  v.object({ status: v.literal('success'), message: v.string(), data });

/** Response of every delete. */
export const Deleted = /* @__PURE__ */ define(() => Envelope(v.object({ id: Uuid })));

/** Wraps data in the envelope. */
export const toEnvelope = <T>(message: string, data: T) => ({ status: 'success' as const, message, data });
