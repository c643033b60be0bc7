import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { TooLarge, UnsupportedMediaType } from '../../shared/errors.ts';
import { jsonBody } from '../../shared/http/middleware/body.ts';
import type { MiddlewareRequest } from '../../shared/http/middleware/middleware.ts';
import { object } from '../../shared/schemas/common.ts';

/** Runs the middleware on a body. */
function parseBody(
  body: string | null,
  headers: Record<string, string> = {},
  isBase64Encoded = false,
  route: Parameters<typeof jsonBody>[0] = {},
) {
  const request = { event: { body, headers, isBase64Encoded }, internal: { faults: [] } };
  jsonBody(route).before?.(request as unknown as MiddlewareRequest);
  return request.internal as { faults: { loc: string[]; msg: string; type: string }[]; body?: unknown };
}

const listFaults = (body: string) => parseBody(body).faults.map(({ loc, type }) => `${loc.join('.')} ${type}`);

/** Builds the JSON of an object with `levels` levels of nesting, including itself. */
const buildNested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('the media type', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON ;a=b',
    'application/merge-patch+json',
    'application/vnd.api+json;v=1',
    '',
  ])('is JSON: %j', (type) => {
    expect(parseBody('{"a":1}', { 'Content-Type': type })).toEqual({ faults: [], body: { a: 1 } });
  });

  test('defaults to JSON', () => {
    expect(parseBody('{}')).toEqual({ faults: [], body: {} });
  });

  test.each([
    'text/plain',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'text/json',
    'multipart/form-data',
  ])('is rejected: %s', (type) => {
    expect(() => parseBody('{}', { 'content-type': type })).toThrow(UnsupportedMediaType);
    expect(() => parseBody(null, { 'content-type': type })).toThrow(UnsupportedMediaType);
  });
});

describe('a body', () => {
  test('is missing if it is absent or blank', () => {
    for (const body of [null, '', ' \n'])
      expect(parseBody(body).faults).toMatchObject([{ loc: ['body'], type: 'missing' }]);
  });

  test('is {} if a POST has none and nothing in it is required', () => {
    const [optional, required] = [object({ a: v.optional(v.number()) }), object({ a: v.number() })];
    const parse = (method: 'POST' | 'PUT', body: typeof optional | typeof required) =>
      parseBody(null, {}, false, { method, body });
    expect(parse('POST', optional)).toEqual({ faults: [], body: {} });
    expect(parse('POST', required).faults).toMatchObject([{ type: 'missing' }]);
    expect(parse('PUT', optional).faults).toMatchObject([{ type: 'missing' }]);
    expect(() => parseBody(null, { 'content-type': 'text/plain' }, false, { method: 'POST', body: optional })).toThrow(
      UnsupportedMediaType,
    );
  });

  test.each(['{', '{"a":1,}', "{'a':1}", 'NaN', '{"a":1} x', '[[['])(
    'has one fault if it is malformed, without an echo of the body: %s',
    (body) => {
      expect(parseBody(body).faults).toEqual([
        { loc: ['body'], msg: expect.not.stringContaining(body), type: 'json_invalid' },
      ]);
      expect(parseBody(body).body).toBeUndefined();
    },
  );

  test('may be base64, in which API Gateway sends binary types', () => {
    expect(parseBody(Buffer.from('{"a":"é"}').toString('base64'), {}, true).body).toEqual({ a: 'é' });
  });

  test('has a fault for bytes that are not UTF-8', () => {
    const { faults } = parseBody(Buffer.from('{"a":"\xff"}', 'latin1').toString('base64'), {}, true);
    expect(faults).toMatchObject([{ loc: ['body', 'a'], type: 'string_unicode' }]);
  });

  test('may contain replacement characters if the route accepts transcripts', () => {
    const request = { event: { body: '{"a":"\ufffd"}', headers: {} }, internal: { faults: [] } };
    jsonBody({ mayBeLossy: true }).before?.(request as unknown as MiddlewareRequest);
    expect(request.internal).toEqual({ faults: [], body: { a: '\ufffd' } });
  });

  test('has the last value of a duplicate key', () => {
    expect(parseBody('{"a":1,"a":2}').body).toEqual({ a: 2 });
  });

  test('is too large beyond 300 KB, counted without escapes and white space', () => {
    const buildJson = (size: number) => JSON.stringify({ a: 'x'.repeat(size - 8) });
    expect(parseBody(buildJson(300 * 1024)).faults).toEqual([]);
    expect(() => parseBody(buildJson(300 * 1024 + 1))).toThrow(TooLarge);
    expect(() => parseBody(JSON.stringify({ a: 'é'.repeat(160 * 1024) }))).toThrow(TooLarge);
    const escaped = `{"a":"${'\\u0078'.repeat(200 * 1024)}"}`;
    expect(parseBody(escaped).body).toEqual({ a: 'x'.repeat(200 * 1024) });
    expect(parseBody(`{}${' '.repeat(1024 * 1024)}`).body).toEqual({});
    expect(parseBody(`{"a":"${'\\\\u'.repeat(140 * 1024)}"}`).body).toEqual({ a: '\\u'.repeat(140 * 1024) });
  });

  test('is too large beyond 2 MB as sent, before it is parsed', () => {
    expect(() => parseBody('['.repeat(2 * 1024 * 1024 + 1))).toThrow(TooLarge);
  });
});

describe('a value that cannot be stored exactly', () => {
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
  ])('is a fault with its path: %s', (body, fault) => {
    expect(listFaults(body)).toEqual([fault]);
  });

  test.each(['{"a":9007199254740991}', '{"a":-0.1}', '{"a":"😀"}', '{"a":null,"b":[],"":true}', '{"a":5e-324}'])(
    'is not %s',
    (body) => {
      expect(parseBody(body)).toEqual({ faults: [], body: JSON.parse(body) });
    },
  );

  test('is reported together with all others', () => {
    expect(listFaults('{"a":"\\u0000","b":{"c":1e999,"d":"\\ud800"}}')).toEqual([
      'body.a string_unicode',
      'body.b.c finite_number',
      'body.b.d string_unicode',
    ]);
  });

  test('is reported together with at most 99 others', () => {
    expect(listFaults(JSON.stringify(Array(1_000).fill('\0')))).toHaveLength(100);
  });

  test('ends the check after 100 times, even at one place', () => {
    const keys = Array.from({ length: 100 }, (_, i) => [`\0${i}`, 1]);
    const { faults, body } = parseBody(JSON.stringify({ a: Object.fromEntries(keys), b: '\0' }));
    expect(faults).toMatchObject([{ loc: ['body', 'a'], type: 'invalid_key' }]);
    expect(body).toBeUndefined();
  });

  test('has more than 5,000 keys that V8 takes for places in an array', () => {
    const listFor = (count: number, one: object) =>
      listFaults(JSON.stringify({ a: [...Array(count).fill(one), { b: 1 }] }));
    expect(listFor(5_000, { 1023: 0 })).toEqual([]);
    expect(listFor(5_001, { 1023: 0 })).toEqual(['body too_many_keys']);
    expect(listFor(5_001, { 9: 0 })).toEqual(['body too_many_keys']);
    expect(listFor(5_001, { 10000: 0, '0123': 0, 123456789012345678: 0, '1a': 0 })).toEqual([]);
  });

  test('has more than 50,000 values', () => {
    expect(parseBody(JSON.stringify([Array(49_998).fill(0)])).faults).toEqual([]);
    expect(listFaults(JSON.stringify([Array(49_999).fill(0)]))).toEqual(['body too_many_values']);
    expect(parseBody(JSON.stringify([Array(49_999).fill(0)])).body).toBeUndefined();
  });

  test('is an object with more than 10,000 keys, but no list with as many items', () => {
    const build = (count: number) => ({ a: Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])) });
    expect(parseBody(JSON.stringify(build(10_000)))).toEqual({ faults: [], body: build(10_000) });
    expect(listFaults(JSON.stringify(build(10_001)))).toEqual(['body.a too_many_keys']);
    expect(parseBody(JSON.stringify(build(10_001))).body).toBeUndefined();
    expect(listFaults(JSON.stringify(Array(10_001).fill(0)))).toEqual([]);
  });

  test('is an object with more than 32 levels of nesting', () => {
    expect(parseBody(buildNested(32)).faults).toEqual([]);
    expect(listFaults(buildNested(33))).toEqual(['body nesting_too_deep']);
    expect(parseBody(buildNested(33)).body).toBeUndefined();
  });

  test('never crashes the parser, even with 150,000 levels of nesting', () => {
    expect(listFaults(`${'['.repeat(150_000)}${']'.repeat(150_000)}`)).toHaveLength(1);
  });
});
