import fc, { type Arbitrary } from 'fast-check';
import { type Body, generateNearlyValidBody, generateValidBody } from './body.ts';
import { type Operation, operations, type Parameter } from './document.ts';
import { generateCredentials, generateHeaders, type Pairs } from './headers.ts';
import { generatePlaceholder, oddValue, text, toText } from './odd-values.ts';
import { generateNearlyValid, generateValid } from './values.ts';
import type { Flaw, FuzzRequest } from './wire.ts';

/** Percent-encodes text. Encodes half a surrogate pair as invalid UTF-8, like some clients do. */
const percentEncode = (value: string) =>
  value
    .replace(/[\ud800-\udfff]+/g, (found) => (found.isWellFormed() ? found : '\0'))
    .split('\0')
    .map(encodeURIComponent)
    .join('%ED%A0%80');

const rawSegments = fc.constantFrom(
  '%',
  '%zz',
  '%00',
  '%ED%A0%80',
  '%2e%2e',
  '..%2f..',
  'a'.repeat(3_000),
  "'",
  '*',
  '%25',
  '+',
  '~',
);

function generatePath(operation: Operation, isFlawed: boolean): Arbitrary<string> {
  const parameters = operation.parameters.filter((one) => one.in === 'path');
  const generateSegment = ({ name, schema }: Parameter) => {
    const right = fc.oneof(
      { weight: 12, arbitrary: generatePlaceholder(name) },
      { weight: 1, arbitrary: generateValid(schema, name).map((value) => percentEncode(toText(value))) },
    );
    const wrong = fc.oneof(
      rawSegments,
      generateNearlyValid(schema, name).map((value) => percentEncode(toText(value).slice(0, 1_000))),
    );
    return (isFlawed ? wrong : right).filter((found) => found !== '');
  };
  const slash = fc.constantFrom('', '', '', '/');
  return fc.tuple(slash, ...parameters.map(generateSegment)).map(([end, ...values]) => {
    let next = 0;
    return operation.path.replace(/\{\w+\}/g, () => values[next++] ?? '') + end;
  });
}

function generateQuery({ parameters }: Operation, isFlawed: boolean): Arbitrary<string> {
  const known = parameters.filter((one) => one.in === 'query');
  const generateParameter = ({ name, schema }: Parameter) =>
    name === 'cursor' ? generatePlaceholder('cursor') : generateValid(schema, name);
  const record = fc
    .record(Object.fromEntries(known.map((one) => [one.name, generateParameter(one)])), { requiredKeys: [] })
    .map(
      (values): Pairs =>
        Object.entries(values).map(([name, value]) => [percentEncode(name), percentEncode(toText(value))]),
    );
  if (!isFlawed) return record.map(formatQuery);
  const wrong = fc.oneof(
    ...known.map(({ name, schema }) =>
      generateNearlyValid(schema, name).map((value) => [name, percentEncode(toText(value).slice(0, 3_000))] as const),
    ),
    ...known.map(({ name }) => rawSegments.map((value) => [name, value] as const)),
    fc.tuple(
      text.map(percentEncode),
      oddValue.map((value) => percentEncode(toText(value).slice(0, 1_000))),
    ),
  );
  // The wrong parameters are unknown, or repeat a known one.
  return fc
    .tuple(record, fc.array(wrong, { minLength: 1, maxLength: 3 }))
    .map(([pairs, more]) => formatQuery([...pairs, ...more.map(([name, value]): [string, string] => [name, value])]));
}

const formatQuery = (pairs: Pairs) => (pairs.length > 0 ? `?${pairs.map((pair) => pair.join('=')).join('&')}` : '');

function generateMethod({ path, method }: Operation, isFlawed: boolean): Arbitrary<string> {
  if (!isFlawed) return fc.constant(method);
  const taken = operations.filter((one) => one.path === path).map((one) => one.method);
  return fc.constantFrom(...['PATCH', 'GET', 'POST', 'PUT', 'DELETE'].filter((one) => !taken.includes(one)));
}

const noBody: Arbitrary<Body> = fc.constant({ contentType: undefined, bytes: Buffer.alloc(0) });

function generateBody({ body }: Operation, isFlawed: boolean): Arbitrary<Body> {
  if (!body) return noBody;
  if (isFlawed) return generateNearlyValidBody(body);
  const valid = generateValidBody(body);
  return body.required ? valid : fc.oneof({ weight: 4, arbitrary: valid }, { weight: 1, arbitrary: noBody });
}

/** Generates requests with exactly these flaws. Values of the resource pool are placeholders. */
export function generateRequestsWithFlaws(operation: Operation, flaws: Flaw[]): Arbitrary<FuzzRequest> {
  const hasFlaw = (flaw: Flaw) => flaws.includes(flaw);
  return fc
    .record({
      method: generateMethod(operation, hasFlaw('method')),
      path: generatePath(operation, hasFlaw('path')),
      query: generateQuery(operation, hasFlaw('query')),
      credentials: generateCredentials(operation, hasFlaw('credentials')),
      headers: generateHeaders(operation, hasFlaw('header')),
      body: generateBody(operation, hasFlaw('body')),
    })
    .map(({ method, path, query, credentials, headers, body: { contentType, bytes } }) => ({
      method,
      target: path + query,
      headers: [
        ...credentials,
        ...(contentType === undefined ? [] : [['content-type', contentType] as [string, string]]),
        ...headers,
      ],
      body: bytes,
      flaws,
      credentials: credentials[0]?.[1] ?? '',
    }));
}

/** Generates requests of an operation: valid, with one flaw, or with several. */
export function generateRequests(operation: Operation): Arbitrary<FuzzRequest> {
  const { parameters, body } = operation;
  const parts = (['path', 'query', 'header'] as const).filter(
    (part) => part !== 'path' || parameters.some((one) => one.in === part),
  );
  const possible: Flaw[] = ['credentials', ...parts, ...(body ? (['body'] as const) : [])];
  const several = fc.subarray(possible, { minLength: 2 }).chain((flaws) => generateRequestsWithFlaws(operation, flaws));
  return fc.oneof(
    { weight: 10, arbitrary: generateRequestsWithFlaws(operation, []) },
    ...possible.map((flaw) => ({
      weight: flaw === 'body' ? 10 : 2,
      arbitrary: generateRequestsWithFlaws(operation, [flaw]),
    })),
    { weight: 1, arbitrary: generateRequestsWithFlaws(operation, ['method']) },
    { weight: 3, arbitrary: several },
  );
}
