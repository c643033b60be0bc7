import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from './document.ts';
import { odd, placeholder, told } from './odd.ts';
import { valid } from './values.ts';

export type Pairs = [name: string, value: string][];

/** What can stand in a header: HTTP takes no control characters, and Latin-1 only. */
const asHeader = (value: string) => value.replace(/[^\x20-\x7e\xa1-\xff]/g, '').trim();

const tags = fc.oneof(placeholder('etag'), fc.constantFrom('*', '"none"', 'W/"none"', '"a", "b"'));
const tagHeaders = ['if-match', 'if-none-match'];

/** The headers of an operation, and others that may puzzle it. */
export function headersOf({ parameters }: Operation, isFlawed: boolean): Arbitrary<Pairs> {
  const known = parameters
    .filter((one) => one.in === 'header')
    .map(({ name, schema }) => ({ name: name.toLowerCase(), schema }));
  const right = fc.record(
    Object.fromEntries(
      known.map(({ name, schema }) => [
        name,
        tagHeaders.includes(name)
          ? tags
          : fc.oneof(
              { weight: 1, arbitrary: fc.constantFrom('again', 'once more') },
              { weight: 5, arbitrary: valid(schema).map((value) => asHeader(told(value)) || 'x') },
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
      odd.map(told),
      fc.constantFrom('""', '"', '"a"b', 'W/', ',,,', 'bytes=0-1', 'PATCH', '\xff\xfe', 'https://evil.example'),
    )
    .map((of) => asHeader(of).slice(0, 2_000));
  const wrong = fc.array(fc.tuple(fc.constantFrom(...names), value), { minLength: 1, maxLength: 3 });
  return fc
    .tuple(right, wrong)
    .map(([values, more]): Pairs => Object.entries({ ...values, ...Object.fromEntries(more) }) as Pairs);
}

/** `person` and `worker` are there in the pool; so is who is another user, and what has expired. */
export function credentialsOf({ callers }: Operation, isFlawed: boolean): Arbitrary<Pairs> {
  const isWorkers = !callers.includes('bearer');
  const isPeoples = !callers.includes('api_key');
  const good = [
    ...(isWorkers ? [] : ['Bearer ~person.0~', 'Bearer ~person.0~', 'bearer  ~person.0~ ', 'Bearer ~other.0~']),
    ...(isPeoples ? [] : ['Bearer ~worker.0~', ...(isWorkers ? ['Bearer ~worker.0~'] : [])]),
  ];
  const bad = [
    ...(isWorkers ? ['Bearer ~person.0~'] : []),
    ...(isPeoples ? ['Bearer ~worker.0~'] : []),
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
