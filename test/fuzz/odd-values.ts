import fc, { type Arbitrary } from 'fast-check';
import { words } from './document.ts';

/** Generates placeholders for values of the resource pool. They need no encoding in a URL. */
export const generatePlaceholder = (kind: string) => fc.nat(5).map((n) => `~${kind}.${n}~`);

const plain = fc.string({ unit: 'grapheme', maxLength: 40 });
const anyUnicode = fc.string({ unit: 'binary', maxLength: 20 });

/** Text that can be stored: any Unicode except NUL and U+FFFD. Includes words from the schemas. */
export const text: Arbitrary<string> = fc
  .oneof(
    { weight: 4, arbitrary: plain },
    { weight: 2, arbitrary: anyUnicode },
    { weight: 2, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: generatePlaceholder('knowledge_base_id') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'أهلا',
        '👩‍👩‍👧',
        '\u202e',
        'ﷺ',
        'İ',
        'ß',
        '\ufeff',
        '\u2028',
        '%00',
        '../..',
        "' OR 1=1",
        '{{x}}',
        '#',
        'null',
      ),
    },
  )
  .filter((found) => !/[\0\ufffd]/.test(found));

/** Text that cannot be stored: with NUL or half a surrogate pair. */
export const unstorableText: Arbitrary<string> = fc
  .tuple(plain, fc.constantFrom('\0', '\ud800', '\udfff', 'a\ud83d', '\ude00\ud83d'), plain)
  .map((pieces) => pieces.join(''));

const reserved = ['__proto__', 'constructor', 'prototype'];

/** Key of an object that accepts any key. */
export const objectKey: Arbitrary<string> = text.filter((name) => !reserved.includes(name));

/** Keeps a number in a notation that `JSON.stringify` would change. */
const toRawJson = (json: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(json);

/** Numbers that lose precision or overflow in JavaScript. */
const oddNumber = fc
  .constantFrom(
    '1e308',
    '-1e308',
    '1e400',
    '-0',
    '-0.0',
    '5e-324',
    '9007199254740992',
    '9007199254740993',
    '0.1e1',
    '1E+2',
    '-1',
    '1.5',
  )
  .map(toRawJson);

/** Any JSON that the service can store. */
export const storableJson: Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.double({ min: -1e9, max: 1e9, noNaN: true }),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(objectKey, tie('value'), { maxKeys: 4 }),
  ),
})).value;

const nested = fc.integer({ min: 25, max: 60 }).chain((depth) =>
  fc.constantFrom('[]', '{}').map((kind) => {
    let value: unknown = 1;
    for (let i = 0; i < depth; i++) value = kind === '[]' ? [value] : { a: value };
    return value;
  }),
);

const ownProto = fc.constantFrom(...reserved).map((name) => Object.fromEntries([[name, { admin: true }]]));

const huge = fc.constantFrom(300, 2_049, 10_001, 100_001, 320_000).map((length) => 'x'.repeat(length));

/** Unusual values for any field. Many of them cannot be stored. */
export const oddValue: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(null, true, 0, '', [], {}, [[]], [null], '1', 'true') },
  { weight: 3, arbitrary: oddNumber },
  { weight: 2, arbitrary: unstorableText },
  { weight: 2, arbitrary: text },
  { weight: 2, arbitrary: storableJson },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: ownProto },
  { weight: 1, arbitrary: fc.dictionary(unstorableText, storableJson, { minKeys: 1, maxKeys: 2 }) },
  { weight: 1, arbitrary: huge },
);

/** Returns a string unchanged, and any other value as JSON. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
