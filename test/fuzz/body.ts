import { gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from './document.ts';
import { formType, generateNearlyValidForm, generateValidForm } from './form.ts';
import { oddValue } from './odd-values.ts';
import { generateNearlyValid, generateValid } from './values.ts';

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

const truncate = (text: Buffer) => fc.nat(Math.max(0, text.length - 1)).map((at) => text.subarray(0, at));

/** Damages a body: cuts it, changes its encoding, compresses, repeats or replaces it. */
const damage = (bytes: Buffer): Arbitrary<Buffer> =>
  fc.oneof(
    truncate(bytes),
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

/** Makes changes that only JSON text can express: duplicate keys, extreme nesting, much white space, syntax errors. */
const rewriteJson = (json: string): Arbitrary<Buffer> =>
  fc
    .oneof(
      fc
        .tuple(fc.constantFrom(...Object.keys(parseFields(json)), 'x'), oddValue)
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

const parseFields = (json: string): object => {
  try {
    return Object(JSON.parse(json));
  } catch {
    return {};
  }
};

const toJsonBytes = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '');

/** Generates bodies that match the document. */
export const generateValidBody = ({ type, schema }: NonNullable<Operation['body']>): Arbitrary<Body> =>
  type === 'application/json'
    ? fc.record({ contentType: jsonType, bytes: generateValid(schema).map(toJsonBytes) })
    : fc.record({ contentType: fc.constant(formType), bytes: generateValidForm(schema) });

/** Generates bodies with something wrong or unusual. */
export function generateNearlyValidBody(body: NonNullable<Operation['body']>): Arbitrary<Body> {
  const isJson = body.type === 'application/json';
  const contentType = fc.constant(isJson ? 'application/json' : formType);
  const wrong = isJson ? generateNearlyValid(body.schema).map(toJsonBytes) : generateNearlyValidForm(body.schema);
  const whole = generateValidBody(body).map(({ bytes }) => bytes);
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ contentType, bytes: wrong }) },
    { weight: 1, arbitrary: fc.record({ contentType, bytes: whole.chain(damage) }) },
    { weight: 1, arbitrary: fc.record({ contentType: otherType, bytes: whole }) },
    {
      weight: isJson ? 2 : 0,
      arbitrary: fc.record({ contentType, bytes: whole.chain((bytes) => rewriteJson(bytes.toString())) }),
    },
  );
}
