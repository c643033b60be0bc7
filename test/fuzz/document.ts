import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** As much of JSON Schema as the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

interface Response {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: Schema }>;
}

/** One operation, its parameters resolved. */
export interface Operation {
  id: string;
  method: string;
  /** With its parameters in braces. */
  path: string;
  parameters: Parameter[];
  body?: { type: string; schema: Schema };
  /** What may call it: each is a kind of credentials. */
  callers: string[];
  /** By status: the headers, and where the schema of its body stands, if it has one. */
  responses: Map<number, { headers: string[]; schema?: string }>;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

interface Described {
  operationId: string;
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  security: Record<string, string[]>[];
  responses: Record<string, Response | { $ref: string }>;
}

export const document: Document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
);

/** A step of a JSON pointer (RFC 6901), in a fragment. */
const step = (name: string) => encodeURIComponent(name.replace(/~/g, '~0').replace(/\//g, '~1'));

/** What a reference within the document points at. */
function resolved<T extends object>(value: T | { $ref: string }): T {
  if (!('$ref' in value)) return value;
  const found = value.$ref
    .slice(2)
    .split('/')
    .reduce((inner: unknown, name) => (inner as Record<string, unknown>)[name], document);
  return found as T;
}

/** A schema, its reference resolved where it is one. */
export const schemaOf = (schema: Schema): Schema => resolved(schema as { $ref: string });

function operationOf(path: string, method: string, described: Described): Operation {
  const [[type, content] = [undefined, undefined]] = Object.entries(described.requestBody?.content ?? {});
  const responses = Object.entries(described.responses).map(([status, response]) => {
    const { headers = {}, content: answered } = resolved(response);
    const place = '$ref' in response ? response.$ref : `#/paths/${step(path)}/${method}/responses/${status}`;
    const schema = answered && `${place}/content/application~1json/schema`;
    return [Number(status), { headers: Object.keys(headers), ...(schema && { schema }) }] as const;
  });
  return {
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    parameters: described.parameters.map(resolved),
    ...(type && content && { body: { type, schema: schemaOf(content.schema) } }),
    callers: described.security.flatMap((scheme) => Object.keys(scheme)),
    responses: new Map(responses),
  };
}

/** Every operation of docs/openapi.json. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => operationOf(path, method, described)),
);

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* textsOf(inner);
}

function* wordsOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (['const', 'enum', 'examples', 'default'].includes(name)) yield* textsOf(inner);
    else yield* wordsOf(inner);
  }
}

/** The texts that the document's schemas name: a text that means something is found by no chance. */
export const words: string[] = [...new Set(wordsOf(document.components.schemas))];
