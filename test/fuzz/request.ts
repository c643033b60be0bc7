import fc, { type Arbitrary } from 'fast-check';
import { type Body, nearlyBody, validBody } from './body.ts';
import { type Operation, operations, type Parameter } from './document.ts';
import { credentialsOf, headersOf, type Pairs } from './headers.ts';
import { odd, placeholder, text, told } from './odd.ts';
import { nearly, valid } from './values.ts';
import type { Flaw, Sent } from './wire.ts';

/** Percent-encoded; half characters, which UTF-8 cannot have, as some programs write them all the same. */
const encoded = (value: string) =>
  value
    .replace(/[\ud800-\udfff]+/g, (found) => (found.isWellFormed() ? found : '\0'))
    .split('\0')
    .map(encodeURIComponent)
    .join('%ED%A0%80');

const raw = fc.constantFrom(
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

function pathOf(operation: Operation, isFlawed: boolean): Arbitrary<string> {
  const parameters = operation.parameters.filter((one) => one.in === 'path');
  const segment = ({ name, schema }: Parameter) => {
    const right = fc.oneof(
      { weight: 12, arbitrary: placeholder(name) },
      { weight: 1, arbitrary: valid(schema, name).map((value) => encoded(told(value))) },
    );
    const wrong = fc.oneof(
      raw,
      nearly(schema, name).map((value) => encoded(told(value).slice(0, 1_000))),
    );
    return (isFlawed ? wrong : right).filter((found) => found !== '');
  };
  const slash = fc.constantFrom('', '', '', '/');
  return fc.tuple(slash, ...parameters.map(segment)).map(([end, ...values]) => {
    let next = 0;
    return operation.path.replace(/\{\w+\}/g, () => values[next++] ?? '') + end;
  });
}

function queryOf({ parameters }: Operation, isFlawed: boolean): Arbitrary<string> {
  const known = parameters.filter((one) => one.in === 'query');
  const drawn = ({ name, schema }: Parameter) => (name === 'cursor' ? placeholder('cursor') : valid(schema, name));
  const record = fc
    .record(Object.fromEntries(known.map((one) => [one.name, drawn(one)])), { requiredKeys: [] })
    .map((values): Pairs => Object.entries(values).map(([name, value]) => [encoded(name), encoded(told(value))]));
  if (!isFlawed) return record.map(written);
  const wrong = fc.oneof(
    ...known.map(({ name, schema }) =>
      nearly(schema, name).map((value) => [name, encoded(told(value).slice(0, 3_000))] as const),
    ),
    ...known.map(({ name }) => raw.map((value) => [name, value] as const)),
    fc.tuple(
      text.map(encoded),
      odd.map((value) => encoded(told(value).slice(0, 1_000))),
    ),
  );
  // A name of its own, or again.
  return fc
    .tuple(record, fc.array(wrong, { minLength: 1, maxLength: 3 }))
    .map(([pairs, more]) => written([...pairs, ...more.map(([name, value]): [string, string] => [name, value])]));
}

const written = (pairs: Pairs) => (pairs.length > 0 ? `?${pairs.map((pair) => pair.join('=')).join('&')}` : '');

function methodOf({ path, method }: Operation, isFlawed: boolean): Arbitrary<string> {
  if (!isFlawed) return fc.constant(method);
  const taken = operations.filter((one) => one.path === path).map((one) => one.method);
  return fc.constantFrom(...['PATCH', 'GET', 'POST', 'PUT', 'DELETE'].filter((one) => !taken.includes(one)));
}

const none: Arbitrary<Body> = fc.constant({ contentType: undefined, bytes: Buffer.alloc(0) });

function bodyOf({ body }: Operation, isFlawed: boolean): Arbitrary<Body> {
  if (!body) return none;
  return isFlawed ? nearlyBody(body) : validBody(body);
}

/** Requests of an operation with these flaws and no others. What the pool has in it stands as a placeholder. */
export function requestsWith(operation: Operation, flaws: Flaw[]): Arbitrary<Sent> {
  const is = (flaw: Flaw) => flaws.includes(flaw);
  return fc
    .record({
      method: methodOf(operation, is('method')),
      path: pathOf(operation, is('path')),
      query: queryOf(operation, is('query')),
      credentials: credentialsOf(operation, is('credentials')),
      headers: headersOf(operation, is('header')),
      body: bodyOf(operation, is('body')),
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

/** Requests of an operation: as it asks for them, with one thing wrong, or with many. */
export function requests(operation: Operation): Arbitrary<Sent> {
  const { parameters, body } = operation;
  const parts = (['path', 'query', 'header'] as const).filter(
    (part) => part !== 'path' || parameters.some((one) => one.in === part),
  );
  const possible: Flaw[] = ['credentials', ...parts, ...(body ? (['body'] as const) : [])];
  const several = fc.subarray(possible, { minLength: 2 }).chain((flaws) => requestsWith(operation, flaws));
  return fc.oneof(
    { weight: 10, arbitrary: requestsWith(operation, []) },
    ...possible.map((flaw) => ({ weight: flaw === 'body' ? 10 : 2, arbitrary: requestsWith(operation, [flaw]) })),
    { weight: 1, arbitrary: requestsWith(operation, ['method']) },
    { weight: 3, arbitrary: several },
  );
}
