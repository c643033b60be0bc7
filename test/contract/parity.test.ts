import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noRoutes } from '../../infra/no-routes.ts';
import type { Route } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';

const root = join(import.meta.dirname, '../..');
const ids = routes.map(({ id }) => id).toSorted();
const byId = routes.map((route) => [route.id, route] as const);

/** The names of the files below a folder, without ending, that should be those of routes. */
const namesIn = (folder: string, ending: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter((name) => !noRoutes.includes(name))
    .toSorted();

const json = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

const bare = (path: string) => path.replace(/\/+$/, '');

describe('the route table', () => {
  test('has each id and each method of a path once', () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size).toBe(routes.length);
    expect(ids.length).toBeGreaterThan(0);
  });

  test.each(byId)('names ids and paths in their one spelling: %s', (id, { path }) => {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*\/[a-z]+(-[a-z]+)*$/);
    expect(path).toMatch(/^(\/([a-z]+(-[a-z]+)*|\{[a-z]+(_[a-z]+)*\}))+$/);
  });

  test.each(byId)('declares exactly the parameters of the path: %s', (_, { path, params }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(params ? Object.keys((params as Route['params'] & { entries: object }).entries) : []).toEqual(inPath);
  });

  test('calls a parameter the same at the same place of every path, as the gateway demands', () => {
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
    'gives no body to what reads or deletes, and one to every PUT that does more than join: %s',
    (_, route) => {
      const { method, path, body } = route;
      if (method === 'GET' || method === 'DELETE') expect(body).toBeUndefined();
      const joins = (path.match(/\{/g) ?? []).length > 1;
      if (method === 'PUT' && !joins) expect(body).toBeDefined();
    },
  );

  test.each(byId)('puts the route into the module of its resource: %s', async (id) => {
    const module: Record<string, Route> = await import(`../../shared/routes/${id.split('/')[0]}.ts`);
    expect(Object.values(module).map((route) => route.id)).toContain(id);
  });
});

describe('the functions', () => {
  test('are the routes', () => {
    expect(namesIn('functions', '.ts')).toEqual(ids);
    expect(noRoutes.filter((name) => !existsSync(join(root, `functions/${name}.ts`)))).toEqual([]);
  });

  test.each(ids)('handle the route that they are named by, and no other: %s', async (id) => {
    const source = readFileSync(join(root, `functions/${id}.ts`), 'utf8');
    const [, name] = /export const handler = (?:jsonE|multipartE|e)ndpoint\((\w+),/.exec(source) ?? [];
    const [, imported] = /import \{ (\w+) \} from '[^']*\/shared\/routes\/[^']+'/.exec(source) ?? [];
    expect(imported).toBe(name);
    const module: Record<string, Route> = await import(`../../shared/routes/${id.split('/')[0]}.ts`);
    expect(module[String(name)]?.id).toBe(id);
  });
});

describe('the event fixtures', () => {
  test('are the routes', () => {
    expect(namesIn('events', '.json')).toEqual(ids);
  });

  test.each(byId)('call the route that they are named by: %s', (id, { method, path }) => {
    expect(json(`events/${id}.json`)).toMatchObject({ httpMethod: method, resource: path });
  });
});

describe('the operations of docs/openapi.json', () => {
  type Operations = Record<string, { operationId?: string } | undefined>;
  const operations = () => {
    const { paths } = json('docs/openapi.json') as { paths: Record<string, Operations> };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => ['get', 'post', 'put', 'delete', 'patch', 'head', 'options'].includes(method))
        .map(([method, operation]) => [operation?.operationId, `${method.toUpperCase()} ${bare(path)}`]),
    );
  };

  test('are the routes, each at its method and path', () => {
    const expected = routes.map(({ id, method, path }) => [id, `${method} ${path}`]);
    expect(operations().toSorted()).toEqual(expected.toSorted());
  });
});
