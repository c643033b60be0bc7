import { gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from './document.ts';
import { formType, nearlyForm, validForm } from './form.ts';
import { odd } from './odd.ts';
import { nearly, valid } from './values.ts';

export interface Body {
  contentType: string | undefined;
  bytes: Buffer;
}

const jsonType = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/vnd.api+json',
);

const otherType = fc.constantFrom(
  undefined,
  '',
  ';',
  'text/plain',
  'application/xml',
  'application/json/x',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary="',
  `multipart/form-data; boundary=${'b'.repeat(71)}`,
);

const cut = (text: Buffer) => fc.nat(Math.max(0, text.length - 1)).map((at) => text.subarray(0, at));

/** The bytes of a body, damaged on the way. */
const damaged = (bytes: Buffer): Arbitrary<Buffer> =>
  fc.oneof(
    cut(bytes),
    fc.constantFrom(
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
      Buffer.from(bytes.toString(), 'utf16le'),
      Buffer.from(bytes.toString(), 'latin1'),
      Buffer.concat([bytes, Buffer.from([0xc3, 0x28, 0xff])]),
      Buffer.concat([bytes, bytes]),
      gzipSync(bytes),
      Buffer.alloc(0),
      Buffer.from('  '),
    ),
    fc.uint8Array({ maxLength: 60 }).map((random) => Buffer.from(random)),
  );

/** What only the text of JSON can have: a key twice, nesting beyond any stack, white space without end. */
const rewritten = (json: string): Arbitrary<Buffer> =>
  fc
    .oneof(
      fc
        .tuple(fc.constantFrom(...Object.keys(fieldsOf(json)), 'x'), odd)
        .map(([name, value]) =>
          json.replace(/^\{/, `{${JSON.stringify(name)}:${JSON.stringify(value) ?? null}${json === '{}' ? '' : ','}`),
        ),
      fc
        .tuple(fc.constantFrom('x', 'metadata', 'voice'), fc.constantFrom(40, 5_000, 90_000))
        .map(([name, depth]) =>
          json.replace(/\}$/, `${json === '{}' ? '' : ','}"${name}":${'['.repeat(depth)}${']'.repeat(depth)}}`),
        ),
      fc.constantFrom(
        `${json},`,
        `[${json}]`,
        `/**/${json}`,
        json.replace(/"/g, "'"),
        `${json}${' '.repeat(400_000)}`,
        'NaN',
        '{"a":01}',
      ),
    )
    .map((text) => Buffer.from(text));

const fieldsOf = (json: string): object => {
  try {
    return Object(JSON.parse(json));
  } catch {
    return {};
  }
};

const jsonBytes = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '');

/** A body as the document asks for it. */
export const validBody = ({ type, schema }: NonNullable<Operation['body']>): Arbitrary<Body> =>
  type === 'application/json'
    ? fc.record({ contentType: jsonType, bytes: valid(schema).map(jsonBytes) })
    : fc.record({ contentType: fc.constant(formType), bytes: validForm(schema) });

/** A body in which something is wrong, or odd. */
export function nearlyBody(body: NonNullable<Operation['body']>): Arbitrary<Body> {
  const isJson = body.type === 'application/json';
  const contentType = fc.constant(isJson ? 'application/json' : formType);
  const wrong = isJson ? nearly(body.schema).map(jsonBytes) : nearlyForm(body.schema);
  const whole = validBody(body).map(({ bytes }) => bytes);
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ contentType, bytes: wrong }) },
    { weight: 1, arbitrary: fc.record({ contentType, bytes: whole.chain(damaged) }) },
    { weight: 1, arbitrary: fc.record({ contentType: otherType, bytes: whole }) },
    {
      weight: isJson ? 2 : 0,
      arbitrary: fc.record({ contentType, bytes: whole.chain((bytes) => rewritten(bytes.toString())) }),
    },
  );
}
