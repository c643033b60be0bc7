import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { document, type Operation } from './document.ts';
import type { FuzzRequest, WireResponse } from './wire.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
formats.default(ajv);
ajv.addFormat('binary', true);
ajv.addFormat('time-zone', true);
ajv.addVocabulary(Object.keys(document)); // treat the document as a container of schemas
ajv.addSchema(closeObjects(document) as object, 'document');

/** Returns a copy of the document where objects with `properties` allow no others, unless it says otherwise. */
function closeObjects(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(closeObjects);
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closeObjects(inner)]));
  return copy.type === 'object' && copy.properties ? { additionalProperties: false, ...copy } : copy;
}

const validators = new Map<string, ValidateFunction>();

/** Lists the violations of the schema at a pointer in the document. */
function listSchemaErrors(pointer: string, value: unknown): string[] {
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `document${pointer}` });
  validators.set(pointer, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const { additionalProperty } = params as { additionalProperty?: string };
    return `the body${instancePath} ${message}${additionalProperty ? `: ${additionalProperty}` : ''}`;
  });
}

/** Headers of HTTP and of proxies, which no operation documents. */
const commonHeaders =
  /^(cache-control|connection|content-length|content-type|date|keep-alive|vary|via|access-control-.+|x-amz.*-(id|type)|transfer-encoding)$/;

/** Headers that a response must have if its operation documents them. */
const requiredHeaders = ['x-request-id', 'etag', 'location', 'x-amzn-remapped-www-authenticate'];

function* checkHeaders({ status, headers }: WireResponse, named: string[]): Generator<string> {
  for (const name of requiredHeaders)
    if (named.includes(name) && !headers.get(name)) yield `the header ${name} is missing`;
  for (const name of headers.keys()) {
    if (!commonHeaders.test(name) && !named.includes(name)) yield `the header ${name} is not documented for ${status}`;
  }
  if (!/^(no-store|private, no-cache)$/.test(headers.get('cache-control') ?? '')) {
    yield `cache-control is ${headers.get('cache-control')}`;
  }
}

function* checkBody({ status, headers, body }: WireResponse, schema: string | undefined): Generator<string> {
  if (!schema) {
    if (body !== '') yield `${status} has a body`;
    return;
  }
  if (headers.get('content-type') !== 'application/json') yield `content-type is ${headers.get('content-type')}`;
  const value = parseJson(body);
  if (value === undefined) yield 'the body is not JSON';
  else yield* listSchemaErrors(schema, value);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** True if API Gateway rejected the request for its size. It uses its own error shape, which the document mentions. */
const isPlatformError = ({ status, body }: WireResponse) => status === 413 && body === '{"message":"Request Too Long"}';

/** 405 response of every path. The document describes it in its conventions, not per operation. */
const methodNotAllowed = {
  headers: ['x-request-id', 'allow'],
  schema: '#/components/responses/NotFound/content/application~1json/schema',
};

/** Types of faults by rules that JSON Schema cannot express. */
const inexpressible = [
  'duplicate_name',
  'duplicate_version',
  'exclusive_field',
  'missing_version',
  'parameters',
  'placeholder',
  'price_amount',
  'secret_in_plain',
  'template_error',
  'tool_group',
  'unknown_language',
  'variables_too_long',
  'weights',
];

interface Fault {
  loc: string[];
  type: string;
}

/** True if a call lacks a variable that its assistant requires, and not the document. */
const isMissingVariable = ({ loc, type }: Fault): boolean =>
  type === 'missing' && loc.length === 3 && loc[1] === 'variables';

/** True if a request breaks only rules that the document cannot express. */
const isInexpressible = ({ status, body }: WireResponse): boolean => {
  const { detail = [] } = status === 422 ? (parseJson(body) as { detail: Fault[] }) : {};
  return detail.length > 0 && detail.every((fault) => inexpressible.includes(fault.type) || isMissingVariable(fault));
};

/** True if a file is too large for its kind, which its name and media type say. */
const isTooLargeForKind = ({ status, body }: WireResponse): boolean => status === 413 && body.includes('"size_bytes"');

/** True if the header `X-Workspace` names a workspace that the caller is not a member of. */
const isForeignWorkspace = ({ status, body }: WireResponse): boolean =>
  status === 403 && body.includes('"not_a_member"');

/** Yields violations of the rules that connect a request's flaws with its status. */
function* checkStatus(answer: WireResponse, { flaws }: FuzzRequest): Generator<string> {
  const { status } = answer;
  if (status >= 500) yield `${status} is a server error`;
  const refused = [401, 403].includes(status) && !isForeignWorkspace(answer);
  if (refused && !flaws.includes('credentials')) yield `${status} although the credentials are valid`;
  if (!refused && flaws.includes('credentials') && ![400, 413].includes(status))
    yield `${status} although the credentials are invalid`;
  if (
    [400, 413, 415, 422].includes(status) &&
    flaws.length === 0 &&
    !isInexpressible(answer) &&
    !isTooLargeForKind(answer)
  )
    yield `${status} although the request is valid`;
}

/** Lists how a response differs from the OpenAPI document. */
export function findViolations(operation: Operation, sent: FuzzRequest, answer: WireResponse): string[] {
  if (isPlatformError(answer)) return [];
  const hasWrongMethod = sent.flaws.includes('method');
  const documented =
    hasWrongMethod && answer.status === 405 ? methodNotAllowed : operation.responses.get(answer.status);
  if (!documented || (hasWrongMethod && answer.status !== 405))
    return [`the status ${answer.status} is not documented`];
  return [
    ...checkStatus(answer, sent),
    ...checkHeaders(answer, documented.headers),
    ...checkBody(answer, documented.schema),
  ];
}
