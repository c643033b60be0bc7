import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it, test } from 'vitest';
import { serializeTools } from '../../infra/commands/derive/mcp-tools.ts';
import { buildDocument } from '../../infra/commands/derive/openapi.ts';
import { failures } from '../../shared/errors.ts';
import { buildOpenApi } from '../../shared/openapi/document.ts';
import { route } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';
import { rule } from '../../shared/schemas/common.ts';

interface Reference {
  $ref: string;
}

interface Operation {
  operationId: string;
  requestBody?: { required: boolean; content: Record<string, { schema: object; example: unknown }> };
  responses: Record<string, Reference>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, { content: Record<string, { schema: Reference; examples: object }> }> };
}

const file = readFileSync('docs/openapi.json', 'utf8');
const { paths, components }: Document = JSON.parse(file);
const operations = Object.values(paths).flatMap((path) => Object.values(path));
const findOperation = (id: string) => operations.find(({ operationId }) => operationId === id);

/** Collects the paths of each object schema. Schemas are equal if they differ in descriptions only. */
function collectObjectSchemas(value: unknown, place = '#', found = new Map<string, string[]>()): Map<string, string[]> {
  if (typeof value !== 'object' || value === null) return found;
  if ('properties' in value) {
    const key = JSON.stringify(value, (name, inner) => (name === 'description' ? undefined : inner));
    found.set(key, [...(found.get(key) ?? []), place]);
  }
  for (const [name, inner] of Object.entries(value)) collectObjectSchemas(inner, `${place}/${name}`, found);
  return found;
}

describe('the OpenAPI document', () => {
  it('is up to date with the routes (npm run openapi)', () => {
    expect(`${JSON.stringify(buildDocument(), null, 2)}\n`, 'run npm run openapi').toBe(file);
  });

  it('has exactly one operation for each route', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(routes.map(({ id }) => id).sort());
  });

  it('defines each object schema once', () => {
    const copies = [...collectObjectSchemas(JSON.parse(file)).values()].filter((places) => places.length > 1);
    expect(copies).toEqual([]);
  });

  it('is not built if a schema has a rule that OpenAPI cannot express', () => {
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
    expect(() => buildOpenApi('1.0.0', [novel], { [novel.id]: example })).toThrow('"novel" action cannot be converted');
  });
});

test('the tools are up to date with the routes (npm run derive)', () => {
  expect(readFileSync('shared/mcp/tools.json', 'utf8') === serializeTools(), 'run npm run derive').toBe(true);
});

describe.each(routes)('the operation $id', (route) => {
  const { id, method, body, form, params, query, errors } = route;

  it('has a valid example', () => {
    const event = JSON.parse(readFileSync(`events/${id}.json`, 'utf8'));
    const { schema, example } =
      findOperation(id)?.requestBody?.content[form ? 'multipart/form-data' : 'application/json'] ?? {};
    expect(schema).toEqual(body && { $ref: expect.stringMatching(/^#\/components\/schemas\//) });
    for (const [part, input] of [
      [params, event.pathParameters],
      [query, event.queryStringParameters ?? {}],
      [form ? undefined : body, example],
    ]) {
      expect(part && v.safeParse(part, input).issues).toBeUndefined();
    }
  });

  it('requires a body, unless a POST may leave out all of its fields', () => {
    const isOptional = method === 'POST' && !form && body && v.safeParse(body, {}).success;
    expect(findOperation(id)?.requestBody?.required).toBe(body && !isOptional);
  });

  it('lists its errors, all with the same schema', () => {
    const expected = new Set([
      ...[401, 403, 409, 422, 429, 500, 502, 503, 504],
      ...(body ? [400, 413, 415] : []),
      ...errors.map((failure) => failures[failure].status),
    ]);
    const { responses = {} } = findOperation(id) ?? {};
    const named = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    expect(new Set(named.map(([status]) => Number(status)))).toEqual(expected);

    for (const [, { $ref }] of named) {
      const response = components.responses[$ref.replace('#/components/responses/', '')];
      const { schema, examples } = response?.content['application/json'] ?? {};
      expect(schema).toEqual({ $ref: '#/components/schemas/Error' });
      expect(Object.keys(examples ?? {})).not.toEqual([]);
    }
  });
});
