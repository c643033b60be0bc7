import { describe, expect, test } from 'vitest';
import { TooLarge, UnsupportedMediaType } from '../../shared/errors.ts';
import { jsonBody } from '../../shared/middleware/body.ts';
import type { Request } from '../../shared/middleware/onion.ts';

/** Reads a body as the layer does. */
function read(body: string | null, headers: Record<string, string> = {}, isBase64Encoded = false) {
  const request = { event: { body, headers, isBase64Encoded }, internal: { faults: [] } };
  jsonBody().before?.(request as unknown as Request);
  return request.internal as { faults: { loc: string[]; msg: string; type: string }[]; body?: unknown };
}

const typesOf = (body: string) => read(body).faults.map(({ loc, type }) => `${loc.join('.')} ${type}`);

/** An object nested `levels` deep, itself included. */
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('the media type', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON ;a=b',
    'application/merge-patch+json',
    'application/vnd.api+json;v=1',
    '',
  ])('is JSON: %j', (type) => {
    expect(read('{"a":1}', { 'Content-Type': type })).toEqual({ faults: [], body: { a: 1 } });
  });

  test('counts as JSON when it is missing', () => {
    expect(read('{}')).toEqual({ faults: [], body: {} });
  });

  test.each([
    'text/plain',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'text/json',
    'multipart/form-data',
  ])('is refused: %s', (type) => {
    expect(() => read('{}', { 'content-type': type })).toThrow(UnsupportedMediaType);
    expect(() => read(null, { 'content-type': type })).toThrow(UnsupportedMediaType);
  });
});

describe('a body', () => {
  test('that is absent or blank is missing', () => {
    for (const body of [null, '', ' \n']) expect(read(body).faults).toMatchObject([{ loc: ['body'], type: 'missing' }]);
  });

  test.each(['{', '{"a":1,}', "{'a':1}", 'NaN', '{"a":1} x', '{"__proto__":{}}', '[[['])(
    'that is malformed is one fault, which does not echo it: %s',
    (body) => {
      expect(read(body).faults).toEqual([
        { loc: ['body'], msg: expect.not.stringContaining(body), type: 'json_invalid' },
      ]);
      expect(read(body).body).toBeUndefined();
    },
  );

  test('may come in base64, as the gateway sends binary types', () => {
    expect(read(Buffer.from('{"a":"é"}').toString('base64'), {}, true).body).toEqual({ a: 'é' });
  });

  test('in base64 has bytes that are not UTF-8', () => {
    const { faults } = read(Buffer.from('{"a":"\xff"}', 'latin1').toString('base64'), {}, true);
    expect(faults).toMatchObject([{ loc: ['body', 'a'], type: 'string_unicode' }]);
  });

  test('may hold what was said, lost characters and all, where its route takes that', () => {
    const request = { event: { body: '{"a":"\ufffd"}', headers: {} }, internal: { faults: [] } };
    jsonBody({ mayBeLossy: true }).before?.(request as unknown as Request);
    expect(request.internal).toEqual({ faults: [], body: { a: '\ufffd' } });
  });

  test('means the last of duplicate keys', () => {
    expect(read('{"a":1,"a":2}').body).toEqual({ a: 2 });
  });

  test('is too large beyond 300 KB as it is meant, however it is written', () => {
    const ofBytes = (size: number) => JSON.stringify({ a: 'x'.repeat(size - 8) });
    expect(read(ofBytes(300 * 1024)).faults).toEqual([]);
    expect(() => read(ofBytes(300 * 1024 + 1))).toThrow(TooLarge);
    expect(() => read(JSON.stringify({ a: 'é'.repeat(160 * 1024) }))).toThrow(TooLarge);
    const escaped = `{"a":"${'\\u0078'.repeat(200 * 1024)}"}`;
    expect(read(escaped).body).toEqual({ a: 'x'.repeat(200 * 1024) });
    expect(read(`{}${' '.repeat(1024 * 1024)}`).body).toEqual({});
  });

  test('is too large beyond 2 MB as it is sent, before it is parsed', () => {
    expect(() => read('['.repeat(2 * 1024 * 1024 + 1))).toThrow(TooLarge);
  });
});

describe('what no later layer could keep is a fault at its place', () => {
  test.each([
    ['{"a":["x","\\ud800"]}', 'body.a.1 string_unicode'],
    ['{"a":"\\u0000"}', 'body.a string_unicode'],
    ['{"a":{"\\udc00":1}}', 'body.a invalid_key'],
    ['{"a":"\ufffd"}', 'body.a string_unicode'],
    ['{"a":{"\\ufffd":1}}', 'body.a invalid_key'],
    ['{"a":{"constructor":1}}', 'body.a invalid_key'],
    ['{"a":{"prototype":1}}', 'body.a invalid_key'],
    ['{"a":1e999}', 'body.a finite_number'],
    ['{"a":9007199254740992}', 'body.a int_too_large'],
    ['{"a":-9007199254740993}', 'body.a int_too_large'],
    ['"\\ud800"', 'body string_unicode'],
  ])('%s', (body, fault) => {
    expect(typesOf(body)).toEqual([fault]);
  });

  test.each(['{"a":9007199254740991}', '{"a":-0.1}', '{"a":"😀"}', '{"a":null,"b":[],"":true}', '{"a":5e-324}'])(
    'but not in %s',
    (body) => {
      expect(read(body)).toEqual({ faults: [], body: JSON.parse(body) });
    },
  );

  test('all of them at once', () => {
    expect(typesOf('{"a":"\\u0000","b":{"c":1e999,"d":"\\ud800"}}')).toEqual([
      'body.a string_unicode',
      'body.b.c finite_number',
      'body.b.d string_unicode',
    ]);
  });

  test('at most a hundred of them', () => {
    expect(typesOf(JSON.stringify(Array(1_000).fill('\0')))).toHaveLength(100);
  });

  test('nesting beyond 32 levels', () => {
    expect(read(nested(32)).faults).toEqual([]);
    expect(typesOf(nested(33))).toEqual(['body nesting_too_deep']);
    expect(read(nested(33)).body).toBeUndefined();
  });

  test('nesting as deep as 300 KB allow, without a crash', () => {
    expect(typesOf(`${'['.repeat(150_000)}${']'.repeat(150_000)}`)).toHaveLength(1);
  });
});
