import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** JSON Schema: the keywords that the document uses. */
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
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  maxProperties?: number;
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

/** Operation with resolved parameters. */
export interface Operation {
  id: string;
  method: string;
  /** Path template, with parameters in braces. */
  path: string;
  parameters: Parameter[];
  body?: { type: string; schema: Schema; required: boolean };
  /** Accepted kinds of credentials: `bearer`, `api_key`. */
  callers: string[];
  /** Headers of each status, and the pointer to the schema of its body, if any. */
  responses: Map<number, { headers: string[]; schema?: string }>;
}

interface Document {
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema> };
}

interface OperationObject {
  operationId: string;
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  security: Record<string, string[]>[];
  responses: Record<string, Response | { $ref: string }>;
}

export const document: Document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
);

/** Encodes a step of a JSON Pointer in a URL fragment (RFC 6901). */
const encodePointerStep = (name: string) => encodeURIComponent(name.replace(/~/g, '~0').replace(/\//g, '~1'));

/** Follows a reference within the document. */
function resolveReference<T extends object>(value: T | { $ref: string }): T {
  if (!('$ref' in value)) return value;
  const found = value.$ref
    .slice(2)
    .split('/')
    .reduce((inner: unknown, name) => (inner as Record<string, unknown>)[name], document);
  return found as T;
}

/** Follows a schema's reference, if it is one. */
export const resolveSchema = (schema: Schema): Schema => resolveReference(schema as { $ref: string });

function toOperation(path: string, method: string, operation: OperationObject): Operation {
  const { required = false, content: contents = {} } = operation.requestBody ?? {};
  const [[type, content] = [undefined, undefined]] = Object.entries(contents);
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const { headers = {}, content: body } = resolveReference(response);
    const pointer =
      '$ref' in response ? response.$ref : `#/paths/${encodePointerStep(path)}/${method}/responses/${status}`;
    const schema = body && `${pointer}/content/application~1json/schema`;
    return [Number(status), { headers: Object.keys(headers), ...(schema && { schema }) }] as const;
  });
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    parameters: operation.parameters.map(resolveReference),
    ...(type && content && { body: { type, schema: resolveSchema(content.schema), required } }),
    callers: operation.security.flatMap((scheme) => Object.keys(scheme)),
    responses: new Map(responses),
  };
}

/** Every operation of docs/openapi.json. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => toOperation(path, method, described)),
);

function* listTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* listTexts(inner);
}

function* listWords(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (['const', 'enum', 'examples', 'default'].includes(name)) yield* listTexts(inner);
    else yield* listWords(inner);
  }
}

/** Strings that the schemas name, such as enum values and defaults. Random strings never hit them. */
export const words: string[] = [...new Set(listWords(document.components.schemas))];
