import { writeFileSync } from 'node:fs';
import type { Tool } from '../../../shared/mcp/tool.ts';
import { type Route, supportsIdempotencyKey } from '../../../shared/route.ts';
import { routes } from '../../../shared/routes/index.ts';
import { buildDocument } from './openapi.ts';

const file = 'shared/mcp/tools.json';

/** Operations that are no tools, and why. */
const leftOut: Record<string, string> = {
  'api-keys/create': 'shows a secret',
  'api-keys/rotate': 'shows a secret',
  'assistants/runtime-config': 'shows the keys of vendors',
  'assistants/start-call': 'shows the keys of vendors',
  'credentials/upsert': 'takes a secret, which the history of a chat would keep',
  'jobs/create': 'costs up to 1,000 answers of a model',
  'jobs/get': 'shows an address at which anybody can read the answers',
  'knowledge-bases/create': 'takes a file',
  'knowledge-bases/create-attached': 'takes a file',
  'knowledge-bases/create-upload': 'takes a file',
  'mcp/serve': 'serves the tools',
  'web-calls/create': 'shows a token of LiveKit',
  'webhooks/create': 'shows a secret',
  'webhooks/rotate': 'shows a secret',
};

/** Fields of bodies that are no arguments, of all operations or of one, and why. */
const leftOutFields: Record<string, Record<string, string>> = {
  all: { stream: 'a result is not streamed', stream_options: 'a result is not streamed' },
  'webhooks/update': { headers: 'take secrets, which the history of a chat would keep' },
};

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description: string;
  schema: Json;
}

type Reference<T> = T | { $ref: string };

interface Operation {
  parameters: Reference<Parameter>[];
  requestBody?: { content: Record<string, { schema: Reference<Json> }> };
}

interface Document {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Json> };
}

const getName = ($ref: string) => $ref.split('/').at(-1) ?? '';

/** Returns what a reference refers to, by its last part. */
const resolve = <T extends object>(value: Reference<T>, components: Record<string, T>): T => {
  if (!('$ref' in value)) return value;
  const found = components[getName(String(value.$ref))];
  if (!found) throw new Error(`${value.$ref} is not in the document`);
  return found;
};

/** Rewrites the references of a schema to `$defs`, and adds their schemas there. */
function collect(schema: unknown, all: Record<string, Json>, defs: Json): unknown {
  if (Array.isArray(schema)) return schema.map((one) => collect(one, all, defs));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...others } = schema as Json & { $ref?: string };
  if ($ref !== undefined) {
    const name = getName($ref);
    if (!(name in defs)) {
      defs[name] = {}; // ends a cycle
      defs[name] = collect(all[name], all, defs);
    }
    return { $ref: `#/$defs/${name}`, ...others };
  }
  return Object.fromEntries(Object.entries(others).map(([key, value]) => [key, collect(value, all, defs)]));
}

/** Headers that a tool takes as arguments. A fresh key makes a retry of the gateway harmless; a given one also that of the client. */
const headerArguments = {
  if_match: {
    header: 'if-match',
    isTaken: ({ conditional }: Route) => conditional === 'if-match',
    schema: { type: 'string', description: 'The `etag` of what you read: nothing is changed if it has changed since.' },
  },
  idempotency_key: {
    header: 'idempotency-key',
    isTaken: supportsIdempotencyKey,
    schema: { type: 'string', maxLength: 255, description: 'The same key again repeats the first result.' },
  },
};

/** Returns what clients may assume of a tool before they ask their user. */
const annotate = ({ method, repeatable, tells, quota, creates }: Route): Record<string, boolean> => {
  const isReadOnly = method === 'GET' || (!!repeatable && !tells && !quota);
  if (isReadOnly) return { readOnlyHint: true };
  return {
    readOnlyHint: false,
    ...(method === 'DELETE' && { destructiveHint: true }),
    ...(creates && { destructiveHint: false }),
    ...((method === 'PUT' || method === 'DELETE') && { idempotentHint: true }),
  };
};

/** Returns the sentences of a text that mention none of these fields. */
const dropSentences = (text: string, fields: string[]): string =>
  text
    .split(/(?<=\.) /)
    .filter((sentence) => !fields.some((field) => sentence.includes(`\`${field}\``)))
    .join(' ');

/** Builds the tool of a route. Throws if two of its arguments would have one name. */
function buildTool(route: Route, { paths, components }: Document): Tool {
  const { id, method, path, summary, description } = route;
  const { parameters = [], requestBody } = paths[path]?.[method.toLowerCase()] ?? {};
  const own = parameters
    .map((one) => resolve(one, components.parameters))
    .filter((parameter) => parameter.in !== 'header');
  const taken = Object.entries(headerArguments).filter(([, { isTaken }]) => isTaken(route));
  const defs: Json = {};
  const body = requestBody && resolve(requestBody.content['application/json']?.schema ?? {}, components.schemas);
  const { properties = {}, required = [] } = (body ?? {}) as { properties?: Json; required?: string[] };
  const dropped = Object.keys({ ...leftOutFields.all, ...leftOutFields[id] }).filter((name) => name in properties);
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => !dropped.includes(name)));
  const args = [
    ...own.map(({ name, description, schema }): [string, unknown] => [
      name,
      { description, ...(collect(schema, components.schemas, defs) as Json) },
    ]),
    ...Object.entries(collect(kept, components.schemas, defs) as Json),
    ...taken.map(([name, { schema }]): [string, unknown] => [name, schema]),
  ];
  const names = args.map(([name]) => name);
  const double = names.find((name, i) => names.indexOf(name) !== i);
  if (double) throw new Error(`${id} has two arguments "${double}": rename one`);
  const needed = [...own.filter((one) => one.required).map(({ name }) => name), ...required];
  return {
    name: id.replace('/', '_'),
    title: summary,
    description: dropSentences([`${summary}.`, description].filter(Boolean).join(' '), dropped),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(args),
      ...(needed.length > 0 && { required: needed }),
      ...(Object.keys(defs).length > 0 && { $defs: defs }),
    },
    annotations: annotate(route),
    request: {
      method,
      path,
      query: own.filter((one) => one.in === 'query').map(({ name }) => name),
      hasBody: body !== undefined,
      dropped,
      headers: Object.fromEntries(taken.map(([name, { header }]) => [name, header])),
    },
  };
}

/** Returns the tools as `npm run derive` writes them. Throws on an operation that shows secrets or takes a file, unless it is left out. */
export function serializeTools(): string {
  const document = buildDocument() as unknown as Document;
  const unlisted = routes.find(({ id, secret, form }) => (secret || form) && !leftOut[id]);
  if (unlisted) throw new Error(`${unlisted.id} may be no tool: say why in infra/commands/derive/mcp-tools.ts`);
  const tools = routes
    .filter(({ id }) => !leftOut[id])
    .map((route) => buildTool(route, document))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return `${JSON.stringify({ version: document.info.version, tools })}\n`;
}

export const writeTools = (): void => writeFileSync(file, serializeTools());
