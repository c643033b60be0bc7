import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { Invalid } from '../../shared/errors.ts';
import type { Request } from '../../shared/middleware/onion.ts';
import { validate } from '../../shared/middleware/validate.ts';
import { route } from '../../shared/route.ts';
import { object, openObject, QueryInteger, Text, Uuid } from '../../shared/schemas/common.ts';

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

/** Validates a request as the layer does. */
function read({ id: example_id = id, query = null, headers = {}, faults = [], ...sent }: Sent) {
  const body = 'body' in sent ? sent.body : { name: 'a', voice: {} };
  const request = {
    event: { pathParameters: { example_id }, queryStringParameters: query, headers, call: undefined },
    internal: { faults, body, user: { id: 'alice' }, ignored: [] as string[] },
  };
  validate(example).before?.(request as unknown as Request);
  return { call: request.event.call as unknown, ignored: request.internal.ignored };
}

/** What is thrown at a request, which must have faults. */
function invalid(sent: Sent): Invalid {
  try {
    read(sent);
  } catch (error) {
    if (error instanceof Invalid) return error;
    throw error;
  }
  throw new Error('The request is valid');
}

const faultsOf = (sent: Sent) => invalid(sent).detail.map(({ loc, type }) => `${loc.join('.')} ${type}`);

describe('a valid request', () => {
  test('becomes a call: caller, path, query, body and precondition, each as its schema reads it', () => {
    const { call, ignored } = read({ id: id.toUpperCase(), query: { limit: '3' }, headers: { 'If-Match': '"4-x"' } });
    expect(call).toMatchObject({
      user: { id: 'alice' },
      params: { example_id: id },
      query: { limit: 3 },
      body: { name: 'a', voice: {} },
      ifMatch: { revisions: [4] },
    });
    expect(ignored).toEqual([]);
  });

  test('is told which top-level keys are ignored, read-only ones and those of sub-objects aside', () => {
    const body = { name: 'a', voice: { speed: 1 }, id: 'x', nmae: 'b', toString: 1 };
    expect(read({ body }).ignored).toEqual(['nmae', 'toString']);
  });
});

describe('an invalid request', () => {
  test('is told all its faults at once, by place, in the names of Pydantic', () => {
    const body = { name: 1, voice: { tags: ['a', 2] } };
    expect(faultsOf({ id: 'x', query: { limit: '11' }, body, headers: { 'if-match': '4' } })).toEqual([
      'path.example_id uuid_parsing',
      'query.limit less_than_equal',
      'body.name string_type',
      'body.voice.tags.1 string_type',
      'header.if-match etag_parsing',
    ]);
  });

  test('is told what is missing, and what is no object', () => {
    expect(faultsOf({ body: { voice: [] } })).toEqual(['body.name missing', 'body.voice dict_type']);
    for (const body of [[], 'text', 1, true, null]) expect(faultsOf({ body })).toEqual(['body dict_type']);
  });

  test('is told the faults that reading its body found, too', () => {
    const faults = [{ loc: ['body'], msg: 'Not JSON', type: 'json_invalid' }];
    expect(faultsOf({ id: 'x', faults, body: undefined })).toEqual([
      'body json_invalid',
      'path.example_id uuid_parsing',
    ]);
  });

  test('never hears its own values, which may be secrets', () => {
    const secret = 'hunter2-hunter2';
    const body = { name: secret, voice: secret };
    const { detail } = invalid({ id: secret, query: { limit: secret }, body, headers: { 'if-match': secret } });
    expect(detail).toHaveLength(5);
    expect(JSON.stringify(detail)).not.toContain(secret);
  });
});
