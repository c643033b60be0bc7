import * as v from 'valibot';
import type { Call } from '../call.ts';
import { fromCursor } from '../domain/cursor.ts';
import { parsePrecondition, sameTag } from '../domain/etag.ts';
import { type Fault, Invalid } from '../errors.ts';
import { userLabel } from '../log-line.ts';
import { isKeyed, type Route } from '../route.ts';
import { header, type Layer } from './onion.ts';

/** valibot's own checks in Pydantic's names. A `rule` brings its own. */
const pydantic: Record<string, [type: string, msg: string]> = {
  string: ['string_type', 'Input should be a valid string'],
  object: ['dict_type', 'Input should be an object'],
  array: ['list_type', 'Input should be a list'],
  number: ['float_type', 'Input should be a number'],
  union: ['float_type', 'Input should be a number'],
  loose_object: ['dict_type', 'Input should be an object'],
};

function faultOf(part: string, issue: v.BaseIssue<unknown>): Fault {
  const path = issue.path ?? [];
  const loc = [part, ...path.map((item) => String(item.key))];
  if (path.at(-1)?.origin === 'key') return { loc, msg: 'Field required', type: 'missing' };
  const [type, msg] = pydantic[issue.type] ?? [issue.type, issue.message];
  return { loc, msg, type };
}

/** valibot's own messages repeat the value, which may be a secret: this one stands in for all of them. */
const options = { abortPipeEarly: true, message: 'Input is not valid' };

/** Top-level keys that the route neither reads nor knows as read-only: probably typos. */
function unreadKeys({ body, readOnly = [] }: Route, sent: object): string[] {
  if (body?.type === 'loose_object') return []; // it reads them all
  const read = new Set([...Object.keys((body as { entries?: object } | undefined)?.entries ?? {}), ...readOnly]);
  return Object.keys(sent).filter((key) => !read.has(key));
}

/** What is wrong with an `Idempotency-Key`. */
function keyFaults(key: string | undefined): Fault[] {
  if (key === undefined || (key.length >= 1 && key.length <= 255)) return [];
  return [{ loc: ['header', 'idempotency-key'], msg: 'Send 1 to 255 characters', type: 'string_length' }];
}

/** Checks path, query, body and headers as the route describes them, and throws all faults together as Invalid. */
export const validate = (route: Route): Layer => ({
  before({ event, internal }) {
    const { faults } = internal;
    const read = (part: string, schema: v.GenericSchema | undefined, input: unknown) => {
      if (!schema) return undefined;
      const { output, issues } = v.safeParse(schema, input, options);
      if (issues) faults.push(...issues.map((issue) => faultOf(part, issue)));
      return output;
    };
    const params = read('path', route.params, event.pathParameters ?? {});
    const query = read('query', route.query, event.queryStringParameters ?? {});
    const body = internal.body === undefined ? undefined : read('body', route.body, internal.body);
    const ifMatch = parsePrecondition(route.conditional === 'if-match' ? header(event, 'if-match') : undefined);
    if ('fault' in ifMatch) faults.push(ifMatch.fault);
    if (isKeyed(route)) faults.push(...keyFaults(header(event, 'idempotency-key')));
    const place = fromCursor(
      internal.user.key,
      [route.id, ...Object.values(event.pathParameters ?? {})].join(' ').toLowerCase(),
      (route.paged || route.cursor) && event.queryStringParameters?.cursor,
    );
    if ('fault' in place) faults.push(place.fault);

    if (faults.length > 0) throw new Invalid(faults);
    if (route.body) internal.ignored = unreadKeys(route, internal.body as object);
    if (route.findTypos) internal.typos = route.findTypos(body as never);
    event.call = {
      user: internal.user,
      params,
      query,
      body,
      ifMatch,
      ...place,
      isKnown: (etag: string) => sameTag(header(event, 'if-none-match'), etag),
      audit: (what: string, facts: object) =>
        console.info({
          audit: what,
          request_id: event.requestContext.requestId,
          user: userLabel(internal.user.key),
          api_key: internal.user.keyId,
          client: internal.user.client,
          ...facts,
        }),
      replay: async () => {},
      isKeyed: false,
      once: () => [],
    } as unknown as Call<Route>;
  },
});
