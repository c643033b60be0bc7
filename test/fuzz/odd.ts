import fc, { type Arbitrary } from 'fast-check';
import { words } from './document.ts';

/** Where a value of the pool stands (pool.ts): of URLs' own letters, so that no encoding touches it. */
export const placeholder = (kind: string) => fc.nat(5).map((n) => `~${kind}.${n}~`);

const plain = fc.string({ unit: 'grapheme', maxLength: 40 });
const anyUnicode = fc.string({ unit: 'binary', maxLength: 20 });

/** Text that can be stored: any Unicode but NUL and U+FFFD. Sometimes a word that means something. */
export const text: Arbitrary<string> = fc
  .oneof(
    { weight: 4, arbitrary: plain },
    { weight: 2, arbitrary: anyUnicode },
    { weight: 2, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: placeholder('knowledge_base_id') },
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

/** Text that cannot. */
export const brokenText: Arbitrary<string> = fc
  .tuple(plain, fc.constantFrom('\0', '\ud800', '\udfff', 'a\ud83d', '\ude00\ud83d'), plain)
  .map((pieces) => pieces.join(''));

const reserved = ['__proto__', 'constructor', 'prototype'];

/** A key of an open object. */
export const key: Arbitrary<string> = text.filter((name) => !reserved.includes(name));

/** A number as JSON writes it, though JavaScript would not. */
const raw = (json: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(json);

/** Numbers that lose something, or mean none, on their way through a program. */
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
  .map(raw);

/** Any JSON that a service can keep. */
export const kept: Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.double({ min: -1e9, max: 1e9, noNaN: true }),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
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

/** What may stand in the place of any value. Much of it is none that a service can keep. */
export const odd: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(null, true, 0, '', [], {}, [[]], [null], '1', 'true') },
  { weight: 3, arbitrary: oddNumber },
  { weight: 2, arbitrary: brokenText },
  { weight: 2, arbitrary: text },
  { weight: 2, arbitrary: kept },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: ownProto },
  { weight: 1, arbitrary: fc.dictionary(brokenText, kept, { minKeys: 1, maxKeys: 2 }) },
  { weight: 1, arbitrary: huge },
);

/** A value as text: what is text as it is, all else as JSON. */
export const told = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
