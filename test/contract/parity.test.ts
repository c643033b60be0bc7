import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nonRouteFunctions } from '../../infra/stacks/non-route-functions.ts';
import { type EventType, eventTypes } from '../../shared/events.ts';
import type { Route } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';

const root = join(import.meta.dirname, '../..');
const ids = routes.map(({ id }) => id).toSorted();
const byId = routes.map((route) => [route.id, route] as const);

/** Lists the files of a folder by path without extension, except functions that serve no route. */
const listNames = (folder: string, ending: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter((name) => !nonRouteFunctions.includes(name))
    .toSorted();

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

const stripTrailingSlashes = (path: string) => path.replace(/\/+$/, '');

describe('the route table', () => {
  test('has unique ids and unique pairs of method and path', () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size).toBe(routes.length);
    expect(ids.length).toBeGreaterThan(0);
  });

  test.each(byId)(
    'spells ids in kebab-case, and paths in kebab-case with snake_case parameters: %s',
    (id, { path }) => {
      expect(id).toMatch(/^[a-z]+(-[a-z]+)*\/[a-z]+(-[a-z]+)*$/);
      expect(path).toMatch(/^(\/([a-z]+(-[a-z]+)*|\{[a-z]+(_[a-z]+)*\}))+$/);
    },
  );

  test.each(byId)('tells what it changes: %s', (_, { needs: { rows = {} }, tells = [] }) => {
    const { once: _remembered, ...written } = rows;
    const writes = Object.values(written).some((actions) => actions.some((action) => !/Get|Query/.test(action)));
    if (writes) expect(tells).not.toEqual([]);
    for (const type of tells) expect(Object.keys(eventTypes)).toContain(type);
  });

  test('tells every type of event, except those that other functions tell', () => {
    const told = new Set(routes.flatMap(({ tells = [] }) => tells));
    const others = Object.keys(eventTypes).filter((type) => !told.has(type as EventType));
    expect(others).toEqual(['knowledge_base.ready', 'knowledge_base.failed', 'job.done', 'webhook.disabled']);
  });

  test.each(byId)('declares exactly the parameters of the path: %s', (_, { path, params }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(params ? Object.keys((params as Route['params'] & { entries: object }).entries) : []).toEqual(inPath);
  });

  test('gives parameters at the same position of a path the same name, which API Gateway requires', () => {
    const names = new Map<string, string>();
    for (const { path } of routes) {
      for (const [parameter] of path.matchAll(/\{\w+\}/g)) {
        const place = path.slice(0, path.indexOf(parameter));
        expect(names.get(place) ?? parameter).toBe(parameter);
        names.set(place, parameter);
      }
    }
  });

  test.each(byId)(
    'defines no body for GET and DELETE, and one for each POST, and each PUT that does not just link two resources: %s',
    (_, route) => {
      const { method, path, body } = route;
      if (method === 'GET' || method === 'DELETE') expect(body).toBeUndefined();
      const isJoin = (path.match(/\{/g) ?? []).length > 1;
      if (method === 'POST' || (method === 'PUT' && !isJoin)) expect(body).toBeDefined();
    },
  );

  test.each(byId)('defines each route in the module of its resource: %s', async (id) => {
    const module: Record<string, Route> = await import(`../../shared/routes/${id.split('/')[0]}.ts`);
    expect(Object.values(module).map((route) => route.id)).toContain(id);
  });
});

describe('the functions', () => {
  test('match the routes', () => {
    expect(listNames('functions', '.ts')).toEqual(ids);
    expect(nonRouteFunctions.filter((name) => !existsSync(join(root, `functions/${name}.ts`)))).toEqual([]);
  });

  test.each(ids)('handle the route of the same name, and no other: %s', async (id) => {
    const source = readFileSync(join(root, `functions/${id}.ts`), 'utf8');
    const [, name] =
      /export const handler = (?:jsonE|countedE|multipartE|streamE|writeE|mcpE|e)ndpoint\(\s*(\w+),/.exec(source) ?? [];
    const [, imported] = /import \{ (\w+) \} from '[^']*\/shared\/routes\/[^']+'/.exec(source) ?? [];
    expect(imported).toBe(name);
    const module: Record<string, Route> = await import(`../../shared/routes/${id.split('/')[0]}.ts`);
    expect(module[String(name)]?.id).toBe(id);
  });
});

describe('the event fixtures', () => {
  test('match the routes', () => {
    expect(listNames('events', '.json')).toEqual(ids);
  });

  test.each(byId)('call the route of the same name: %s', (id, { method, path }) => {
    expect(readJson(`events/${id}.json`)).toMatchObject({ httpMethod: method, resource: path });
  });
});

describe('the operations of docs/openapi.json', () => {
  type Operations = Record<string, { operationId?: string } | undefined>;
  const listOperations = () => {
    const { paths } = readJson('docs/openapi.json') as { paths: Record<string, Operations> };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => ['get', 'post', 'put', 'delete', 'patch', 'head', 'options'].includes(method))
        .map(([method, operation]) => [
          operation?.operationId,
          `${method.toUpperCase()} ${stripTrailingSlashes(path)}`,
        ]),
    );
  };

  test('match the routes in id, method and path', () => {
    const expected = routes.map(({ id, method, path }) => [id, `${method} ${path}`]);
    expect(listOperations().toSorted()).toEqual(expected.toSorted());
  });
});
