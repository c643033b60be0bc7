import type { GenericSchema } from 'valibot';
import {
  conventions,
  headerNotes,
  headerParameters,
  parameterNotes,
  securitySchemes,
  servers,
  statusNotes,
  tagNotes,
} from './openapi/catalogue.ts';
import { errorStatuses, failure } from './openapi/errors.ts';
import { headerRefs, ref } from './openapi/references.ts';
import { convert, namedSchemas, sent, shown } from './openapi/schemas.ts';
import { isKeyed, type Route } from './route.ts';

/** What the document takes from an event: the example of a request. */
export interface Example {
  pathParameters: Record<string, string> | null;
  queryStringParameters: Record<string, string> | null;
  body: string | null;
}

/** What the catalogue says of something. Nothing goes into the document without a word. */
function noted<T>(notes: Record<string, T>, name: string | number): T {
  const note = notes[name];
  if (note === undefined) throw new Error(`Describe ${name} in shared/openapi/catalogue.ts`);
  return note;
}

/** The parameters of a path or a query. They are text that is parsed, so both sides of a transformation are shown. */
function parameters(
  routeId: string,
  place: 'path' | 'query',
  schema: GenericSchema | undefined,
  sample: Record<string, string> | null,
) {
  const { entries = {} } = (schema ?? {}) as { entries?: Record<string, GenericSchema> };
  return Object.entries(entries).map(([name, entry]) => {
    const description = parameterNotes[`${routeId} ${name}`] ?? noted(parameterNotes, name);
    const converted = convert(entry, { ignoreActions: ['to_lower_case', 'transform'] });
    const text = sample?.[name];
    const example = converted.type === 'integer' ? Number(text) : text;
    const required = place === 'path';
    return { name, in: place, required, description, schema: converted, ...(text !== undefined && { example }) };
  });
}

/** The answer where all is well. */
function success(route: Route) {
  const { body, returns, etag, creates, paged, findTypos } = route;
  const headers = [
    'x-request-id',
    ...(etag ? ['etag'] : []),
    ...(creates ? ['location'] : []),
    ...(paged ? ['link'] : []),
    ...(body ? ['x-ignored-fields'] : []),
    ...(findTypos ? ['x-did-you-mean'] : []),
    ...(isKeyed(route) ? ['idempotent-replay'] : []),
  ];
  const schema = convert(returns, { typeMode: 'output', definitions: shown });
  return { description: 'Success', headers: headerRefs(headers), content: { 'application/json': { schema } } };
}

function operation(route: Route, example: Example) {
  const { id, summary, description, params, query, body, form, conditional } = route;
  const headers = [...(isKeyed(route) ? ['idempotency-key'] : []), ...(conditional ? [conditional] : [])];
  const schema = body && convert(body, { typeMode: 'input', definitions: sent });
  const content = form
    ? { 'multipart/form-data': { schema } }
    : { 'application/json': { schema, example: JSON.parse(example.body ?? 'null') } };
  return {
    operationId: id,
    tags: [tagOf(route)],
    summary,
    ...(description && { description }),
    security: securityOf(route),
    parameters: [
      ...parameters(id, 'path', params, example.pathParameters).map(({ name }) => ref('parameters', name)),
      ...parameters(id, 'query', query, example.queryStringParameters),
      ...headers.map((name) => ref('parameters', name)),
    ],
    ...(schema && { requestBody: { required: true, content } }),
    responses: {
      200: success(route),
      ...(conditional === 'if-none-match' && { 304: ref('responses', 'NotModified') }),
      ...Object.fromEntries(
        errorStatuses(route).map((status) => [status, ref('responses', noted(statusNotes, status).name)]),
      ),
    },
  };
}

/** Who may call it: a person, or a worker whose key has the scope. */
const securityOf = ({ scope, workersOnly }: Route) => [
  ...(workersOnly ? [] : [{ bearer: [] }]),
  ...(scope === 'none' ? [] : [{ api_key: scope === 'any' ? [] : [scope] }]),
];

const tagOf = ({ id }: Route) => id.split('/', 1)[0] ?? id;

const methods = ['POST', 'GET', 'PUT', 'DELETE'];

/** Where an operation stands: by path, then in the order of a life. The table's own order is up to the module loader. */
const rank = ({ path, method }: Route) => `${path} ${methods.indexOf(method)}`;

const mapped = <T, U>(record: Record<string, T>, to: (value: T) => U) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));

/** The OpenAPI document of a route table. `examples` has the event of each route, by its id. */
export function openApi(version: string, table: readonly Route[], examples: Record<string, Example>) {
  const routes = table.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1));
  const paths: Record<string, Record<string, unknown>> = {};
  const pathParameters: Record<string, unknown> = {};
  for (const route of routes) {
    const example = examples[route.id];
    if (!example) throw new Error(`The route ${route.id} has no event`);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, example) };
    for (const parameter of parameters(route.id, 'path', route.params, example.pathParameters)) {
      pathParameters[parameter.name] = parameter;
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Voice assistants',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description: conventions.trim(),
    },
    servers,
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name, description: noted(tagNotes, name) })),
    paths,
    components: {
      securitySchemes,
      schemas: namedSchemas(),
      parameters: { ...pathParameters, ...mapped(headerParameters, (header) => ({ in: 'header', ...header })) },
      headers: mapped(headerNotes, (description) => ({ description, schema: { type: 'string' } })),
      responses: {
        NotModified: { description: 'You have the current version', headers: headerRefs(['x-request-id', 'etag']) },
        ...Object.fromEntries(
          Object.entries(statusNotes).map(([status, { name, description }]) => [
            name,
            failure(Number(status), description),
          ]),
        ),
      },
    },
  };
}
