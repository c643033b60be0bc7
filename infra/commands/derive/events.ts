import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Route } from '../../../shared/route.ts';

interface Event {
  headers: Record<string, string>;
  pathParameters: Record<string, string> | null;
}

export const toEventFile = (id: string): string => `events/${id}.json`;

const readEvent = (file: string): Event => JSON.parse(readFileSync(file, 'utf8'));

/** Collects a value for each path parameter from the events that exist. */
function findParameterValues(): Record<string, string> {
  const events = globSync('events/**/*.json').map(readEvent);
  return Object.assign({}, ...events.map(({ pathParameters }) => pathParameters));
}

/** Builds the API Gateway event of a route, with an empty object as its body if it takes one. */
export function buildEvent({ method, path, body, workersOnly }: Route): object {
  const template = readEvent(toEventFile('assistants/get')) as Event & { requestContext: object };
  const values = findParameterValues();
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pathParameters = Object.fromEntries(names.map((name) => [name, values[name] ?? 'ID']));
  const actualPath = names.reduce((result, name) => result.replace(`{${name}}`, pathParameters[name] ?? ''), path);
  const headers = {
    ...template.headers,
    ...(workersOnly && { Authorization: 'Bearer <api key>' }),
    ...(body && { 'Content-Type': 'application/json' }),
  };
  return {
    ...template,
    resource: path,
    path: actualPath,
    httpMethod: method,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    pathParameters: names.length > 0 ? pathParameters : null,
    requestContext: {
      ...template.requestContext,
      httpMethod: method,
      path: `/dev${actualPath}`,
      resourcePath: path,
    },
    body: body ? '{}' : null,
  };
}

/** True if a schema has fields. */
const readsFields = (schema?: object): boolean =>
  Object.keys((schema as { entries?: object } | undefined)?.entries ?? {}).length > 0;

/** True if a new event needs values: its route reads a query or fields of a body. */
export const needsValues = ({ query, body }: Route): boolean => readsFields(query) || readsFields(body);

/** True if the body of a route's event is still the generated one, although the route reads fields. */
export const hasGeneratedBody = ({ id, body }: Route): boolean =>
  readsFields(body) && JSON.parse(readFileSync(toEventFile(id), 'utf8')).body === '{}';

/** Writes an event for each route that has none, and returns their files. */
export function createMissingEvents(routes: readonly Route[]): string[] {
  const missing = routes.filter(({ id }) => !existsSync(toEventFile(id)));
  for (const route of missing) {
    mkdirSync(dirname(toEventFile(route.id)), { recursive: true });
    writeFileSync(toEventFile(route.id), `${JSON.stringify(buildEvent(route), null, 2)}\n`);
  }
  return missing.map(({ id }) => toEventFile(id));
}
