import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { document } from '../../infra/openapi.ts';
import { failures } from '../../shared/errors.ts';
import { openApi } from '../../shared/openapi.ts';
import { isKeyed, route } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';
import { rule } from '../../shared/schemas/common.ts';

interface Reference {
  $ref: string;
}

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { schema: object; example: unknown }> };
  responses: Record<string, Reference>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, { content: Record<string, { schema: Reference; examples: object }> }> };
}

const file = readFileSync('docs/openapi.json', 'utf8');
const { paths, components }: Document = JSON.parse(file);
const operations = Object.values(paths).flatMap((path) => Object.values(path));
const operationOf = (id: string) => operations.find(({ operationId }) => operationId === id);

/** Every schema with fields, by what it says (notes aside), and the places where it stands. */
function objectSchemas(value: unknown, place = '#', found = new Map<string, string[]>()): Map<string, string[]> {
  if (typeof value !== 'object' || value === null) return found;
  if ('properties' in value) {
    const key = JSON.stringify(value, (name, inner) => (name === 'description' ? undefined : inner));
    found.set(key, [...(found.get(key) ?? []), place]);
  }
  for (const [name, inner] of Object.entries(value)) objectSchemas(inner, `${place}/${name}`, found);
  return found;
}

describe('the OpenAPI document', () => {
  it('is what the routes say', () => {
    expect(`${JSON.stringify(document(), null, 2)}\n`, 'run npm run openapi').toBe(file);
  });

  it('has an operation for every route, and no other', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(routes.map(({ id }) => id).sort());
  });

  it('describes no object twice', () => {
    const copies = [...objectSchemas(JSON.parse(file)).values()].filter((places) => places.length > 1);
    expect(copies).toEqual([]);
  });

  it('is not made of a rule that it cannot show', () => {
    const novel = route(() => ({
      id: 'assistants/novel',
      method: 'POST',
      path: '/novel',
      scope: 'write',
      summary: 'Novel',
      body: v.object({
        name: v.pipe(
          v.string(),
          rule('novel', null, 'Novel', () => true),
        ),
      }),
      returns: v.string(),
      errors: [],
      needs: {},
    }));
    const example = { pathParameters: null, queryStringParameters: null, body: '{}' };
    expect(() => openApi('1.0.0', [novel], { [novel.id]: example })).toThrow('"novel" action cannot be converted');
  });
});

describe.each(routes)('the operation $id', (route) => {
  const { id, body, form, params, query, errors } = route;

  it('has an example that the route takes', () => {
    const event = JSON.parse(readFileSync(`events/${id}.json`, 'utf8'));
    const { schema, example } =
      operationOf(id)?.requestBody?.content[form ? 'multipart/form-data' : 'application/json'] ?? {};
    expect(schema).toEqual(body && { $ref: expect.stringMatching(/^#\/components\/schemas\//) });
    for (const [part, input] of [
      [params, event.pathParameters],
      [query, event.queryStringParameters ?? {}],
      [form ? undefined : body, example],
    ]) {
      expect(part && v.safeParse(part, input).issues).toBeUndefined();
    }
  });

  it('names its errors, all in one shape', () => {
    const expected = new Set([
      ...[401, 403, 422, 429, 500, 502, 503, 504],
      ...(body ? [400, 413, 415] : []),
      ...(isKeyed(route) ? [409] : []),
      ...errors.map((failure) => failures[failure].status),
    ]);
    const { responses = {} } = operationOf(id) ?? {};
    const named = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    expect(new Set(named.map(([status]) => Number(status)))).toEqual(expected);

    for (const [, { $ref }] of named) {
      const answer = components.responses[$ref.replace('#/components/responses/', '')];
      const { schema, examples } = answer?.content['application/json'] ?? {};
      expect(schema).toEqual({ $ref: '#/components/schemas/Error' });
      expect(Object.keys(examples ?? {})).not.toEqual([]);
    }
  });
});
