import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { document, type Operation } from './document.ts';
import type { Answer, Sent } from './wire.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
formats.default(ajv);
ajv.addFormat('binary', true);
ajv.addVocabulary(Object.keys(document)); // no schema itself, it has some
ajv.addSchema(closed(document) as object, 'document');

/** The document, in which no object of an answer has fields that are not named, unless it says so. */
function closed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(closed);
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]));
  return copy.type === 'object' && copy.properties ? { additionalProperties: false, ...copy } : copy;
}

const compiled = new Map<string, ValidateFunction>();

/** What a value says against the schema at a place of the document. */
function against(place: string, value: unknown): string[] {
  const validate = compiled.get(place) ?? ajv.compile({ $ref: `document${place}` });
  compiled.set(place, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const { additionalProperty } = params as { additionalProperty?: string };
    return `the body${instancePath} ${message}${additionalProperty ? `: ${additionalProperty}` : ''}`;
  });
}

/** Headers that belong to HTTP, or to what stands between, and not to an operation. */
const common =
  /^(cache-control|connection|content-length|content-type|date|keep-alive|vary|via|access-control-.+|x-amz.*-(id|type)|transfer-encoding)$/;

/** Headers that every answer has which may have them. */
const expected = ['x-request-id', 'etag', 'location', 'x-amzn-remapped-www-authenticate'];

function* headerViolations({ status, headers }: Answer, named: string[]): Generator<string> {
  for (const name of expected) if (named.includes(name) && !headers.get(name)) yield `no header ${name}`;
  for (const name of headers.keys()) {
    if (!common.test(name) && !named.includes(name)) yield `the header ${name} is not documented for ${status}`;
  }
  if (!/^(no-store|private, no-cache)$/.test(headers.get('cache-control') ?? '')) {
    yield `cache-control is ${headers.get('cache-control')}`;
  }
}

function* bodyViolations({ status, headers, body }: Answer, schema: string | undefined): Generator<string> {
  if (!schema) {
    if (body !== '') yield `${status} has a body`;
    return;
  }
  if (headers.get('content-type') !== 'application/json') yield `content-type is ${headers.get('content-type')}`;
  const value = parsed(body);
  if (value === undefined) yield 'the body is not JSON';
  else yield* against(schema, value);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Beyond 6 MB the platform answers in a shape of its own, as the document says. */
const isPlatforms = ({ status, body }: Answer) => status === 413 && body === '{"message":"Request Too Long"}';

/** The 405 of every path, which the document tells in its conventions. */
const notAllowed = {
  headers: ['x-request-id', 'allow'],
  schema: '#/components/responses/NotFound/content/application~1json/schema',
};

/** What is wrong with the statuses that a request may be answered with, over those that are documented. */
function* statusViolations({ status }: Answer, { flaws }: Sent): Generator<string> {
  if (status >= 500) yield `${status}: our fault`;
  const refused = [401, 403].includes(status);
  if (refused && !flaws.includes('credentials')) yield `${status}, and its credentials are good`;
  if (!refused && flaws.includes('credentials') && ![400, 413].includes(status)) yield `${status} without credentials`;
  if ([400, 413, 415, 422].includes(status) && flaws.length === 0)
    yield `${status}, and it is what the document asks for`;
}

/** In what an answer is not what the document promises. */
export function violations(operation: Operation, sent: Sent, answer: Answer): string[] {
  if (isPlatforms(answer)) return [];
  const isOther = sent.flaws.includes('method');
  const documented = isOther && answer.status === 405 ? notAllowed : operation.responses.get(answer.status);
  if (!documented || (isOther && answer.status !== 405)) return [`the status ${answer.status} is not documented`];
  return [
    ...statusViolations(answer, sent),
    ...headerViolations(answer, documented.headers),
    ...bodyViolations(answer, documented.schema),
  ];
}
