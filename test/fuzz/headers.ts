import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from './document.ts';
import { generatePlaceholder, oddValue, toText } from './odd-values.ts';
import { generateValid } from './values.ts';

export type Pairs = [name: string, value: string][];

/** Removes what a header cannot hold: control characters, and characters outside of Latin-1. */
const toHeaderValue = (value: string) => value.replace(/[^\x20-\x7e\xa1-\xff]/g, '').trim();

const tags = fc.oneof(generatePlaceholder('etag'), fc.constantFrom('*', '"none"', 'W/"none"', '"a", "b"'));
const tagHeaders = ['if-match', 'if-none-match'];

/** Generates the headers of an operation. With a flaw, some are unknown or invalid. */
export function generateHeaders({ parameters }: Operation, isFlawed: boolean): Arbitrary<Pairs> {
  const known = parameters
    .filter((one) => one.in === 'header')
    .map(({ name, schema }) => ({ name: name.toLowerCase(), schema }));
  const right = fc.record(
    Object.fromEntries(
      known.map(({ name, schema }) => [
        name,
        tagHeaders.includes(name)
          ? tags
          : name === 'x-workspace'
            ? fc.constant('personal') // the users of the test are in no workspace
            : fc.oneof(
                { weight: 1, arbitrary: fc.constantFrom('again', 'once more') },
                { weight: 5, arbitrary: generateValid(schema).map((value) => toHeaderValue(toText(value)) || 'x') },
              ),
      ]),
    ),
    { requiredKeys: [] },
  );
  if (!isFlawed) return right.map((values): Pairs => Object.entries(values) as Pairs);
  const names = [
    ...known.map(({ name }) => name),
    'accept',
    'origin',
    'x-request-id',
    'range',
    'x-http-method-override',
    'cookie',
    'x-forwarded-for',
    '__proto__',
  ];
  const value = fc
    .oneof(
      oddValue.map(toText),
      fc.constantFrom('""', '"', '"a"b', 'W/', ',,,', 'bytes=0-1', 'PATCH', '\xff\xfe', 'https://evil.example'),
    )
    .map((text) => toHeaderValue(text).slice(0, 2_000));
  const wrong = fc.array(fc.tuple(fc.constantFrom(...names), value), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(right, wrong)
    .map(([values, more]): Pairs => Object.entries({ ...values, ...Object.fromEntries(more) }) as Pairs);
}

/** Generates the `Authorization` header. Its placeholders are the kinds of an `Identity`. */
export function generateCredentials({ callers }: Operation, isFlawed: boolean): Arbitrary<Pairs> {
  const isWorkerOnly = !callers.includes('bearer');
  const isUserOnly = !callers.includes('api_key');
  const good = [
    ...(isWorkerOnly ? [] : ['Bearer ~person.0~', 'Bearer ~person.0~', 'bearer  ~person.0~ ', 'Bearer ~other.0~']),
    ...(isUserOnly ? [] : ['Bearer ~worker.0~', ...(isWorkerOnly ? ['Bearer ~worker.0~'] : [])]),
  ];
  const bad = [
    ...(isWorkerOnly ? ['Bearer ~person.0~'] : []),
    ...(isUserOnly ? ['Bearer ~worker.0~'] : []),
    ...[
      '',
      'Bearer',
      'Bearer ',
      'Basic YTpi',
      'Bearer x',
      'Bearer ~person.0~x',
      'Bearer ~person.0~ x',
      '~person.0~',
      'Bearer ~expired.0~',
    ],
    ...[
      'Bearer ~worker.0~x',
      'Bearer va_dev_0',
      'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.',
      `Bearer ${'a'.repeat(4_000)}`,
      'Bearer \xe9',
      'Bearer ..',
    ],
  ];
  const value = fc.constantFrom(...(isFlawed ? bad : good));
  return value.map((authorization) => (authorization === '' ? [] : [['authorization', authorization]]));
}
