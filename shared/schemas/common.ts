import * as v from 'valibot';
import { define } from '../define.ts';
import { instantOf } from '../instant.ts';

/**
 * A check with a machine name of its own: the name is the `type` of the fault that the caller sees,
 * `requirement` is the bound that the OpenAPI document shows.
 */
export function rule<const Type extends string, Input, Requirement>(
  type: Type,
  requirement: Requirement,
  message: string,
  holds: (value: Input) => boolean,
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
      if (dataset.typed && !holds(dataset.value)) v._addIssue(this as never, type, dataset, config);
      return dataset;
    },
  } as unknown as v.BaseValidation<Input, Input, v.BaseIssue<Input>> & { type: Type; requirement: Requirement };
}

/** valibot takes an array for an object: this makes an array a fault like any other non-object. */
function notArray<S extends v.GenericSchema>(schema: S): S {
  return {
    ...schema,
    '~run'(dataset, config) {
      return schema['~run'](Array.isArray(dataset.value) ? { value: null } : dataset, config);
    },
  } as S;
}

/** An object of which only the named keys are taken. */
export const object = <E extends v.ObjectEntries>(entries: E) => notArray(v.object(entries));

/** An object whose other keys are kept as sent: vendors' own settings. */
export const openObject = <E extends v.ObjectEntries>(entries: E) => notArray(v.looseObject(entries));

/** Length in Unicode code points, as Pydantic and JSON Schema count. Exact only where it matters: beyond `max` code units. */
const longerThan = (value: string, max: number) => value.length > max && [...value].length > max;

/** A whole number as English writes it. By hand: `toLocaleString` loads ICU, 5 MB and a fifth of a function's load. */
const grouped = (n: number) => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',');

const characters = (n: number) => `${grouped(n)} character${n === 1 ? '' : 's'}`;

export const minCharacters = (min: number) =>
  rule('string_too_short', min, `Input should have at least ${characters(min)}`, (s: string) => s.length >= min);

export const maxCharacters = (max: number) =>
  rule('string_too_long', max, `Input should have at most ${characters(max)}`, (s: string) => !longerThan(s, max));

export const maxBytes = (max: number) =>
  rule(
    'bytes_too_long',
    max,
    `Input should have at most ${grouped(max)} bytes as UTF-8`,
    (s: string) => Buffer.byteLength(s) <= max,
  );

const notBlank = () => rule('string_blank', 1, 'Input should not be blank', (s: string) => s.trim() !== '');

/** Any Unicode text of `min` to `max` characters. */
export const Text = (max: number, min = 0) =>
  min > 0 ? v.pipe(v.string(), minCharacters(min), maxCharacters(max)) : v.pipe(v.string(), maxCharacters(max));

/** Text with at least one character that is not white space. */
export const Name = (max: number) => v.pipe(v.string(), notBlank(), maxCharacters(max));

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id in any case, read as lower case. */
export const Uuid = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    rule('uuid_parsing', 'uuid', 'Input should be a valid UUID', (s: string) => uuid.test(s)),
    v.toLowerCase(),
  ),
);

/** RFC 3339 in UTC with milliseconds. */
export const Timestamp = /* @__PURE__ */ define(() => v.pipe(v.string(), v.isoTimestamp()));

/** A moment as a client writes it: RFC 3339, with any offset, or UTC without one. */
export const Moment = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    rule(
      'datetime_parsing',
      'date-time',
      'Input should be a time like 2026-11-21T07:00:00Z',
      (text: string) => text.includes(':') && instantOf(text) !== undefined,
    ),
  ),
);

const languageCode = /^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$/;

/** A language code as vendors write them (`cmn-Hans-CN`, `en_US`, `multi`), stored as sent. */
export const LanguageCode = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    rule(
      'language_code',
      languageCode.source,
      'Not a language code',
      (s: string) => s.length <= 35 && languageCode.test(s),
    ),
  ),
);

/** The bounds of a number. */
export const between = (min: number, max: number) =>
  [
    rule('greater_than_equal', min, `Input should be at least ${min}`, (n: number) => n >= min),
    rule('less_than_equal', max, `Input should be at most ${max}`, (n: number) => n <= max),
  ] as const;

/** A whole number in a body. */
export const Integer = (min: number, max: number) =>
  v.pipe(
    v.number(),
    rule('int_type', null, 'Input should be a whole number', (n: number) => Number.isInteger(n)),
    ...between(min, max),
  );

/** A whole number in a query string. */
export const QueryInteger = (min: number, max: number) =>
  v.pipe(
    v.string(),
    rule('int_parsing', null, 'Input should be a whole number', (s: string) => /^[+-]?\d{1,15}$/.test(s)),
    v.transform(Number),
    ...between(min, max),
  );

/** Why something is not as it should be: a stable name for programs, and a sentence that says what to do. */
export const Reason = /* @__PURE__ */ define(() => v.object({ type: v.string(), msg: v.string() }));
export type Reason = v.InferOutput<typeof Reason>;

/** `{status, message, data}`, the interface's envelope. */
export const Envelope = <S extends v.GenericSchema>(data: S) =>
  v.object({ status: v.literal('success'), message: v.string(), data });

/** The answer of every delete. */
export const Deleted = /* @__PURE__ */ define(() => Envelope(v.object({ id: Uuid })));

/** Fills the envelope. */
export const envelope = <T>(message: string, data: T) => ({ status: 'success' as const, message, data });
