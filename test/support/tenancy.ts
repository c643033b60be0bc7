import { readFileSync } from 'node:fs';
import { type Route, supportsIdempotencyKey } from '../../shared/route.ts';
import { type Client, type Reply, send } from './api.ts';
import { readLog } from './function-log.ts';

/**
 * Values that belong to a user, by the names that requests use for them: path and query parameters, body fields, `cursor`, `if-match`
 * and `idempotency-key`.
 */
export type OwnedValues = Record<string, string>;

const listEntries = (schema: unknown): string[] =>
  Object.keys((schema as { entries?: object } | undefined)?.entries ?? {});

/** Lists the names that a route's request can use for a user's data: path and query parameters, and body fields that hold ids. */
export const listNames = (route: Route): string[] => [
  ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  ...listEntries(route.query),
  ...listEntries(route.body).filter(
    (name) => name.endsWith('_id') || ['id', 'knowledge_base', 'service_type', 'model'].includes(name),
  ),
];

/** Builds the body of the route's sample event, with the user's values in the fields that refer to them. */
export function buildBody(
  route: Route,
  things: OwnedValues,
  others: object,
): { body?: string | Uint8Array; type?: string } {
  const event = JSON.parse(readFileSync(`events/${route.id}.json`, 'utf8'));
  if (event.body === null) return {};
  const type: string = event.headers['Content-Type'];
  if (!type.includes('json')) return { body: Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8'), type };
  const fields: Record<string, unknown> = { ...JSON.parse(event.body), ...others };
  for (const name of listEntries(route.body)) if (name in things) fields[name] = things[name];
  if (listEntries(route.body).includes('knowledge_base')) {
    fields.knowledge_base = { vectorstore_index: 'builtin', vectorstore_namespace: things.knowledge_base_id };
  }
  return { body: JSON.stringify(fields), type };
}

/** Path parameters that belong to nobody: every user counts versions from 1. */
const standIns: Record<string, string> = { version: '1' };

/** Calls a route with a user's values in its path, query, headers and body. A JSON body also gets the fields of `others`. */
export async function callRoute(user: Client, route: Route, things: OwnedValues, others: object = {}): Promise<Reply> {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(things[name] ?? standIns[name] ?? ''),
  );
  const query = new URLSearchParams();
  for (const name of listEntries(route.query)) if (things[name] !== undefined) query.set(name, things[name]);
  const { body, type } = buildBody(route, things, others);
  // The live versions have their own tag.
  const tag = route.id === 'versions/live' ? '*' : things['if-match'];
  const headers = {
    authorization: `Bearer ${user.token}`,
    ...user.headers,
    ...(type && { 'content-type': type }),
    ...(route.conditional && tag !== undefined && { [route.conditional]: tag }),
    ...(supportsIdempotencyKey(route) && things['idempotency-key'] && { 'idempotency-key': things['idempotency-key'] }),
  };
  return send(route.method, `${path}?${query}`, { headers, body, baseUrl: user.baseUrl });
}

/** Returns the round trips and capacity units of a request, from its function's log. */
export async function getRequestCost(reply: Reply): Promise<object> {
  const { round_trips, read_units, write_units } = (await readLog(reply)).line;
  return { round_trips, read_units, write_units };
}

/** Patterns of values that differ between any two replies, with their placeholders. */
const volatileValues: [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z|\d{8}T\d{6}Z/g, '<time>'],
  [/va_\w+|whsec_[\w+/=]+|(?<=\*{4})[\w+/=]{4}/g, '<secret>'],
  [/[\w-]{43}(?=\/)/g, '<owner>'],
  [/(?<="(Policy|X-Amz-Signature)":")[^"]+/g, '<signed>'],
];

/** Returns a reply with the user's values and all volatile values replaced by placeholders, so that replies can be compared. */
export function normalizeReply({ status, headers, text }: Reply, things: OwnedValues): object {
  const named = Object.entries(things);
  const plain = (told: string) => {
    const nameless = named.reduce((rest, [name, value]) => rest.replaceAll(value, `<${name}>`), told);
    return volatileValues.reduce((rest, [pattern, sign]) => rest.replaceAll(pattern, sign), nameless);
  };
  const others = ['date', 'x-request-id', 'etag', 'content-length', 'keep-alive', 'connection'];
  const told = [...headers].filter(([name]) => !others.includes(name));
  return { status, headers: plain(JSON.stringify(told)), text: plain(text) };
}
