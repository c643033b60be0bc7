import { isDeepStrictEqual } from 'node:util';
import type { GenericSchema } from 'valibot';
import { mayLackBody, type Route, supportsIdempotencyKey } from '../route.ts';
import {
  conventions,
  headerNotes,
  headerParameters,
  parameterNotes,
  securitySchemes,
  servers,
  statusNotes,
  tagNotes,
} from './descriptions.ts';
import { buildErrorResponse, listErrorStatuses } from './errors.ts';
import { toHeaderRefs, toRef } from './references.ts';
import { buildNamedSchemas, convertSchema, nameRequestSchemas, responseSchemas } from './schemas.ts';

/** Fields of a sample event that become the examples of an operation. */
export interface Example {
  pathParameters: Record<string, string> | null;
  queryStringParameters: Record<string, string> | null;
  body: string | null;
}

/** Returns the description of a name. Throws if the catalogue has none, so that nothing stays undocumented. */
function getNote<T>(notes: Record<string, T>, name: string | number): T {
  const note = notes[name];
  if (note === undefined) throw new Error(`Describe ${name} in shared/openapi/descriptions.ts`);
  return note;
}

/** Builds the parameters of a path or a query. Ignores the transformations that parse them from text. */
function buildParameters(
  routeId: string,
  place: 'path' | 'query',
  schema: GenericSchema | undefined,
  sample: Record<string, string> | null,
) {
  const { entries = {} } = (schema ?? {}) as { entries?: Record<string, GenericSchema> };
  return Object.entries(entries).map(([name, entry]) => {
    const description = parameterNotes[`${routeId} ${name}`] ?? getNote(parameterNotes, name);
    const converted = convertSchema(entry, { ignoreActions: ['to_lower_case', 'transform'] });
    const text = sample?.[name];
    const isNumber = converted.type === 'integer';
    const example = isNumber ? Number(text) : text;
    const isText = typeof converted.default === 'string';
    const schema = { ...converted, ...(isNumber && isText && { default: Number(converted.default) }) };
    const required = place === 'path';
    return { name, in: place, required, description, schema, ...(text !== undefined && { example }) };
  });
}

function buildSuccessResponse(route: Route) {
  const { returns, etag, creates, paged, findTypos, streamSeconds } = route;
  const headers = [
    'x-request-id',
    ...(etag ? ['etag'] : []),
    ...(creates ? ['location'] : []),
    ...(paged ? ['link'] : []),
    'x-ignored-fields',
    ...(findTypos ? ['x-did-you-mean', 'x-template-unknown'] : []),
    ...(supportsIdempotencyKey(route) ? ['idempotent-replay'] : []),
  ];
  const schema = convertSchema(returns, { typeMode: 'output', definitions: responseSchemas });
  const events = streamSeconds && { 'text/event-stream': { schema: { type: 'string' } } };
  const content = { 'application/json': { schema }, ...events };
  return { description: 'Success', headers: toHeaderRefs(headers), content };
}

type Parameter = ReturnType<typeof buildParameters>[number];

/** Refers to a path parameter, or writes it out if another route has one of its name with other values. */
const toParameter = (parameter: Parameter, shared: Record<string, Parameter>) =>
  isDeepStrictEqual(shared[parameter.name]?.schema, parameter.schema) ? toRef('parameters', parameter.name) : parameter;

interface Shared {
  requestSchemas: Record<string, GenericSchema>;
  pathParameters: Record<string, Parameter>;
}

/** Returns the description of an operation, with the quota that it counts for. */
const describe = ({ description, quota }: Route) =>
  [description, quota && `Counts for the quota \`${quota}\`.`].filter(Boolean).join(' ');

function buildOperation(route: Route, example: Example, { requestSchemas, pathParameters }: Shared) {
  const { id, summary, params, query, body, form, conditional, workersOnly } = route;
  const description = describe(route);
  const headers = [
    ...(workersOnly ? [] : ['x-workspace']),
    ...(supportsIdempotencyKey(route) ? ['idempotency-key'] : []),
    ...(conditional ? [conditional] : []),
  ];
  const schema = body && convertSchema(body, { typeMode: 'input', definitions: requestSchemas });
  const content = form
    ? { 'multipart/form-data': { schema } }
    : { 'application/json': { schema, example: JSON.parse(example.body ?? 'null') } };
  return {
    operationId: id,
    tags: [getTag(route)],
    summary,
    ...(description && { description }),
    security: buildSecurity(route),
    parameters: [
      ...buildParameters(id, 'path', params, example.pathParameters).map((one) => toParameter(one, pathParameters)),
      ...buildParameters(id, 'query', query, example.queryStringParameters),
      ...headers.map((name) => toRef('parameters', name)),
    ],
    ...(schema && { requestBody: { required: !mayLackBody(route), content } }),
    responses: {
      200: buildSuccessResponse(route),
      ...(route.hasNotifications && { 202: toRef('responses', 'Accepted') }),
      ...(conditional === 'if-none-match' && { 304: toRef('responses', 'NotModified') }),
      ...Object.fromEntries(
        listErrorStatuses(route).map((status) => [status, toRef('responses', getNote(statusNotes, status).name)]),
      ),
    },
  };
}

/** Builds the security requirement of an operation: a user token, or an API key with the scope of the route. */
const buildSecurity = ({ scope, workersOnly }: Route) => [
  ...(workersOnly ? [] : [{ bearer: [] }]),
  ...(scope === 'none' ? [] : [{ api_key: scope === 'any' ? [] : [scope] }]),
];

const getTag = ({ id }: Route) => id.split('/', 1)[0] ?? id;

const methods = ['POST', 'GET', 'PUT', 'DELETE'];

/**
 * Returns the sort key of an operation: path, then method. The route table's own order depends on the module loader.
 */
const toSortKey = ({ path, method }: Route) => `${path} ${methods.indexOf(method)}`;

const mapValues = <T, U>(record: Record<string, T>, to: (value: T) => U) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));

/** Builds the OpenAPI document of a route table. `examples` maps route ids to their sample events. */
export function buildOpenApi(version: string, table: readonly Route[], examples: Record<string, Example>) {
  const routes = table.toSorted((one, other) => (toSortKey(one) < toSortKey(other) ? -1 : 1));
  const requestSchemas = nameRequestSchemas(routes);
  const paths: Record<string, Record<string, unknown>> = {};
  const getExample = ({ id }: Route): Example => {
    const example = examples[id];
    if (!example) throw new Error(`The route ${id} has no event`);
    return example;
  };
  const pathParameters: Record<string, Parameter> = {};
  for (const route of routes)
    for (const parameter of buildParameters(route.id, 'path', route.params, getExample(route).pathParameters))
      pathParameters[parameter.name] = parameter;
  for (const route of routes)
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: buildOperation(route, getExample(route), { requestSchemas, pathParameters }),
    };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Voice assistants',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description: conventions.trim(),
    },
    servers,
    tags: [...new Set(routes.map(getTag))].map((name) => ({ name, description: getNote(tagNotes, name) })),
    paths,
    components: {
      securitySchemes,
      schemas: buildNamedSchemas(requestSchemas),
      parameters: { ...pathParameters, ...mapValues(headerParameters, (header) => ({ in: 'header', ...header })) },
      headers: mapValues(headerNotes, (description) => ({ description, schema: { type: 'string' } })),
      responses: {
        Accepted: {
          description: 'A notification, which has no answer',
          headers: toHeaderRefs(['x-request-id', 'x-ignored-fields']),
        },
        NotModified: {
          description: 'You have the current version',
          headers: toHeaderRefs(['x-request-id', 'etag', 'x-ignored-fields']),
        },
        ...Object.fromEntries(
          Object.entries(statusNotes).map(([status, { name, description }]) => [
            name,
            buildErrorResponse(Number(status), description),
          ]),
        ),
      },
    },
  };
}
