import type * as v from 'valibot';
import { parseCursor } from '../../domain/cursor.ts';
import { hasMatchingEtag, parsePrecondition } from '../../domain/etag.ts';
import { type Fault, Invalid, maxFaults, truncateKey } from '../../errors.ts';
import { type Route, supportsIdempotencyKey } from '../../route.ts';
import { toUserLabel } from '../../telemetry/log-line.ts';
import type { Request } from '../request.ts';
import { getHeader, type Middleware } from './middleware.ts';

/** Pydantic's types and messages for valibot's built-in checks. Each `rule` has its own. */
const pydanticErrors: Record<string, [type: string, msg: string]> = {
  string: ['string_type', 'Input should be a valid string'],
  object: ['dict_type', 'Input should be an object'],
  array: ['list_type', 'Input should be a list'],
  number: ['float_type', 'Input should be a number'],
  union: ['float_type', 'Input should be a number'],
  loose_object: ['dict_type', 'Input should be an object'],
  strict_object: ['dict_type', 'Input should be an object'],
  record: ['dict_type', 'Input should be an object'],
  boolean: ['bool_type', 'Input should be true or false'],
};

function toFault(part: string, issue: v.BaseIssue<unknown>): Fault {
  const path = issue.path ?? [];
  const loc = [part, ...path.map((item) => truncateKey(String(item.key)))];
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return { loc, msg: 'Extra inputs are not permitted', type: 'extra_forbidden' };
  if (path.at(-1)?.origin === 'key') return { loc, msg: 'Field required', type: 'missing' };
  if (issue.type === 'literal' || issue.type === 'variant')
    return {
      loc,
      msg: `Input should be ${issue.expected?.replaceAll(/[()]/g, '').replaceAll(' | ', ', ')}`,
      type: 'literal_error',
    };
  const [type, msg] = pydanticErrors[issue.type] ?? [issue.type, issue.message];
  return { loc, msg, type };
}

/** Times that valibot may ask for one fault: once or twice in each object and list around it, and once for each check that follows. */
const maxAsked = 20;

/**
 * Returns the options of one validation. Replaces valibot's messages, which repeat the value, and that may be a secret. Ends the
 * validation after enough faults, of which a hostile body could have 400,000: valibot asks `abortEarly` after each, at each level.
 */
function createParseOptions(): v.Config<v.BaseIssue<unknown>> {
  let asked = 0;
  return {
    abortPipeEarly: true,
    message: 'Input is not valid',
    get abortEarly() {
      asked += 1;
      return asked > maxAsked * maxFaults;
    },
  };
}

/** Returns the schemas of an object's top-level keys. */
const getFields = (schema: v.GenericSchema) => (schema as { entries?: object }).entries ?? {};

/** Returns the top-level keys that are neither in the schema nor otherwise known: probably typos. */
function listUnknownKeys(schema: v.GenericSchema | undefined, sent: unknown, known: readonly string[] = []): string[] {
  if (schema?.type === 'loose_object') return []; // it keeps all keys
  const read = new Set([...Object.keys(schema ? getFields(schema) : {}), ...known]);
  return Object.keys(sent ?? {}).filter((key) => !read.has(key));
}

/** Returns the top-level keys that the schema left out because of their value (`lenient`). */
const listLeftOut = (sent: unknown, parsed: object = {}): string[] =>
  Object.entries(parsed).flatMap(([key, value]) => {
    const isLeftOut = value === undefined && (sent as Record<string, unknown>)[key] != null;
    return isLeftOut ? [key] : [];
  });

/** Returns the faults of an `Idempotency-Key`. */
function listKeyFaults(key: string | undefined): Fault[] {
  if (key === undefined || (key.length >= 1 && key.length <= 255)) return [];
  return [{ loc: ['header', 'idempotency-key'], msg: 'Send 1 to 255 characters', type: 'string_length' }];
}

/** Validates path, query, body and headers by the route's schemas. Throws Invalid with all faults of the request, up to 100. */
export const validate = (route: Route): Middleware => ({
  before({ event, internal }) {
    const { faults } = internal;
    const parse = (part: string, schema: v.GenericSchema | undefined, input: unknown) => {
      if (!schema) return undefined;
      const { value, issues } = schema['~run']({ value: input }, createParseOptions()); // v.parse would copy the options
      const reported = issues?.slice(0, maxFaults - faults.length) ?? [];
      faults.push(...reported.map((issue) => toFault(part, issue)));
      return value;
    };
    const params = parse('path', route.params, event.pathParameters ?? {});
    const query = parse('query', route.query, event.queryStringParameters ?? {});
    const body = internal.body === undefined ? undefined : parse('body', route.body, internal.body);
    const ifMatch = parsePrecondition(route.conditional === 'if-match' ? getHeader(event, 'if-match') : undefined);
    if ('fault' in ifMatch) faults.push(ifMatch.fault);
    if (supportsIdempotencyKey(route)) faults.push(...listKeyFaults(getHeader(event, 'idempotency-key')));
    const place = parseCursor(
      internal.user.key,
      [route.id, ...Object.values(event.pathParameters ?? {})].join(' ').toLowerCase(),
      (route.paged || route.cursor) && event.queryStringParameters?.cursor,
    );
    if ('fault' in place) faults.push(place.fault);

    if (faults.length > 0) throw new Invalid(faults);
    internal.ignored = [
      ...listUnknownKeys(route.query, event.queryStringParameters),
      ...listUnknownKeys(route.body, internal.body, route.readOnly),
      ...listLeftOut(internal.body, body as object | undefined),
      ...(route.listIgnored?.(internal.body as never) ?? []),
    ];
    if (route.findTypos) internal.typos = route.findTypos(body as never);
    event.request = {
      user: internal.user,
      params,
      query,
      body,
      ifMatch,
      ...place,
      isNotModified: (etag: string) => hasMatchingEtag(getHeader(event, 'if-none-match'), etag),
      audit: (what: string, facts: object) =>
        console.info({
          audit: what,
          request_id: event.requestContext.requestId,
          user: toUserLabel(internal.user.key),
          member: internal.user.member,
          api_key: internal.user.keyId,
          client: internal.user.client,
          ...facts,
        }),
      replay: async () => {},
      count: async () => {},
      hasIdempotencyKey: false,
      rememberResult: () => [],
    } as unknown as Request<Route>;
  },
});
