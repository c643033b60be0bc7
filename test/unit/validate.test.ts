import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { Invalid } from '../../shared/errors.ts';
import type { MiddlewareRequest } from '../../shared/http/middleware/middleware.ts';
import { validate } from '../../shared/http/middleware/validate.ts';
import { type Route, route } from '../../shared/route.ts';
import { List, object, openObject, QueryInteger, Text, Uuid } from '../../shared/schemas/common.ts';

const example = route(() => ({
  id: 'examples/update',
  method: 'PUT',
  path: '/examples/{example_id}',
  scope: 'write',
  summary: 'An example',
  params: v.object({ example_id: Uuid }),
  query: v.object({ limit: v.optional(QueryInteger(1, 10)) }),
  body: object({ name: Text(5), voice: openObject({ tags: v.optional(v.array(v.string())) }) }),
  readOnly: ['id'],
  returns: v.object({}),
  conditional: 'if-match',
  errors: [],
  needs: {},
}));

const id = '019aa2c4-0000-7000-8000-000000000000';

interface Sent {
  id?: string;
  query?: Record<string, string> | null;
  body?: unknown;
  headers?: Record<string, string>;
  faults?: { loc: string[]; msg: string; type: string }[];
}

/** Runs the middleware on a request. */
function validateRequest(
  { id: example_id = id, query = null, headers = {}, faults = [], ...sent }: Sent,
  ofRoute: Route = example,
) {
  const body = 'body' in sent ? sent.body : { name: 'a', voice: {} };
  const request = {
    event: { pathParameters: { example_id }, queryStringParameters: query, headers, request: undefined },
    internal: { faults, body, user: { id: 'alice' }, ignored: [] as string[] },
  };
  validate(ofRoute).before?.(request as unknown as MiddlewareRequest);
  return { valid: request.event.request as unknown, ignored: request.internal.ignored };
}

/** Returns the error that the middleware throws for a request. */
function getError(sent: Sent, ofRoute?: Route): Invalid {
  try {
    validateRequest(sent, ofRoute);
  } catch (error) {
    if (error instanceof Invalid) return error;
    throw error;
  }
  throw new Error('The request is valid');
}

const listFaults = (sent: Sent, ofRoute?: Route) =>
  getError(sent, ofRoute).detail.map(({ loc, type }) => `${loc.join('.')} ${type}`);

describe('a valid request', () => {
  test('has a user, path, query, body and precondition, each as parsed by its schema', () => {
    const { valid, ignored } = validateRequest({
      id: id.toUpperCase(),
      query: { limit: '3' },
      headers: { 'If-Match': '"4-x"' },
    });
    expect(valid).toMatchObject({
      user: { id: 'alice' },
      params: { example_id: id },
      query: { limit: 3 },
      body: { name: 'a', voice: {} },
      ifMatch: { revisions: [4] },
    });
    expect(ignored).toEqual([]);
  });

  test('reports ignored top-level keys of the body, except read-only fields', () => {
    const body = { name: 'a', voice: { speed: 1 }, id: 'x', nmae: 'b', toString: 1 };
    expect(validateRequest({ body }).ignored).toEqual(['nmae', 'toString']);
  });

  test('reports ignored query parameters', () => {
    expect(validateRequest({ query: { limit: '3', participant_name: 'x' } }).ignored).toEqual(['participant_name']);
  });
});

describe('an invalid request', () => {
  test('lists all faults in order, with the types of Pydantic', () => {
    const body = { name: 1, voice: { tags: ['a', 2] } };
    expect(listFaults({ id: 'x', query: { limit: '11' }, body, headers: { 'if-match': '4' } })).toEqual([
      'path.example_id uuid_parsing',
      'query.limit less_than_equal',
      'body.name string_type',
      'body.voice.tags.1 string_type',
      'header.if-match etag_parsing',
    ]);
  });

  test('lists missing fields, and values that are not objects', () => {
    expect(listFaults({ body: { voice: [] } })).toEqual(['body.name missing', 'body.voice dict_type']);
    for (const body of [[], 'text', 1, true, null]) expect(listFaults({ body })).toEqual(['body dict_type']);
  });

  test('includes the faults found by parsing its body', () => {
    const faults = [{ loc: ['body'], msg: 'Not JSON', type: 'json_invalid' }];
    expect(listFaults({ id: 'x', faults, body: undefined })).toEqual([
      'body json_invalid',
      'path.example_id uuid_parsing',
    ]);
  });

  test('lists at most 100 faults, and validates few values more, in lists and records at any depth', () => {
    let validated = 0;
    const Item = v.pipe(
      v.any(),
      v.check(() => ++validated < 0),
      v.string(),
    );
    const reject = (body: NonNullable<Route['body']>, sent: unknown) => {
      validated = 0;
      return listFaults(
        { body: sent },
        route(() => ({ ...example, body })),
      );
    };
    const items = Array(1_000).fill(1);
    expect(reject(v.object({ a: v.array(Item) }), { a: Array(400_000).fill(1) })).toHaveLength(100);
    expect(validated).toBeLessThan(2_100);
    expect(reject(v.object({ a: v.record(v.string(), Item) }), { a: Array(400_000).fill(1) })).toHaveLength(100);
    expect(validated).toBeLessThan(2_100);
    const Deep = v.array(v.object({ a: v.array(v.object({ a: v.object({ a: v.nullish(v.array(Item)) }) })) }));
    expect(reject(Deep, items.fill({ a: [{ a: { a: [...items] } }] }))).toHaveLength(100);
    expect(validated).toBeLessThan(2_100);
  });

  test('validates a list to one item beyond its limit, however long it is', () => {
    let validated = 0;
    const Item = v.pipe(
      v.number(),
      v.check(() => ++validated > 0),
    );
    const lists = route(() => ({ ...example, body: v.object({ a: v.nullish(List(List(Item, 200), 3)) }) }));
    expect(listFaults({ body: { a: [Array(400_000).fill(1)] } }, lists)).toEqual(['body.a.0 too_long']);
    expect(validated).toBe(201);
    expect(listFaults({ body: { a: Array(400_000).fill([1]) } }, lists)).toEqual(['body.a too_long']);
    expect(validated).toBe(205);
  });

  test('never echoes values, which may be secrets', () => {
    const secret = 'hunter2-hunter2';
    const body = { name: secret, voice: secret };
    const { detail } = getError({ id: secret, query: { limit: secret }, body, headers: { 'if-match': secret } });
    expect(detail).toHaveLength(5);
    expect(JSON.stringify(detail)).not.toContain(secret);
  });
});
