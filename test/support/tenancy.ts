import { readFileSync } from 'node:fs';
import { isKeyed, type Route } from '../../shared/route.ts';
import { type Client, type Reply, send } from './api.ts';
import { logged } from './function-log.ts';

/**
 * What a user has, by the names under which requests ask for it: parameters of paths and queries, fields of bodies, and besides
 * `cursor`, `if-match` and `idempotency-key`.
 */
export type Things = Record<string, string>;

const entriesOf = (schema: unknown): string[] =>
  Object.keys((schema as { entries?: object } | undefined)?.entries ?? {});

/** The names of all that a route may be asked for by. Of a body's fields, those that name things. */
export const namesOf = (route: Route): string[] => [
  ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  ...entriesOf(route.query),
  ...entriesOf(route.body).filter(
    (name) => name.endsWith('_id') || ['id', 'knowledge_base', 'service_type'].includes(name),
  ),
];

/** The body of the route's own event, that asks for these things wherever it names one. */
function bodyFor(route: Route, things: Things, others: object): { body?: string | Uint8Array; type?: string } {
  const event = JSON.parse(readFileSync(`events/${route.id}.json`, 'utf8'));
  if (event.body === null) return {};
  const type: string = event.headers['Content-Type'];
  if (!type.includes('json')) return { body: Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8'), type };
  const fields: Record<string, unknown> = { ...JSON.parse(event.body), ...others };
  for (const name of entriesOf(route.body)) if (name in things) fields[name] = things[name];
  if (entriesOf(route.body).includes('knowledge_base')) {
    fields.knowledge_base = { vectorstore_index: 'builtin', vectorstore_namespace: things.knowledge_base_id };
  }
  return { body: JSON.stringify(fields), type };
}

/** Asks a route for things, wherever its path, query, headers and body can name them. A JSON body has `others` too. */
export async function ask(user: Client, route: Route, things: Things, others: object = {}): Promise<Reply> {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(things[name] ?? ''));
  const query = new URLSearchParams();
  for (const name of entriesOf(route.query)) if (things[name] !== undefined) query.set(name, things[name]);
  const { body, type } = bodyFor(route, things, others);
  const headers = {
    authorization: `Bearer ${user.token}`,
    ...(type && { 'content-type': type }),
    ...(route.conditional && { [route.conditional]: things['if-match'] ?? '' }),
    ...(isKeyed(route) && things['idempotency-key'] && { 'idempotency-key': things['idempotency-key'] }),
  };
  return send(route.method, `${path}?${query}`, { headers, body, baseUrl: user.baseUrl });
}

/** What a request cost in round trips and units, as its function has logged. */
export async function readsOf(reply: Reply): Promise<object> {
  const { round_trips, read_units, write_units } = (await logged(reply)).line;
  return { round_trips, read_units, write_units };
}

/** What differs from answer to answer, whatever was asked. */
const passing: [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z|\d{8}T\d{6}Z/g, '<time>'],
  [/va_\w+|(?<=\*{4})\w{4}/g, '<secret>'],
  [/[\w-]{43}(?=\/)/g, '<owner>'],
  [/(?<="(Policy|X-Amz-Signature)":")[^"]+/g, '<signed>'],
];

/** What an answer tells of the things that it was asked for, but their names. */
export function toldBy({ status, headers, text }: Reply, things: Things): object {
  const named = Object.entries(things);
  const plain = (told: string) => {
    const nameless = named.reduce((rest, [name, value]) => rest.replaceAll(value, `<${name}>`), told);
    return passing.reduce((rest, [pattern, sign]) => rest.replaceAll(pattern, sign), nameless);
  };
  const others = ['date', 'x-request-id', 'etag', 'content-length', 'keep-alive', 'connection'];
  const told = [...headers].filter(([name]) => !others.includes(name));
  return { status, headers: plain(JSON.stringify(told)), text: plain(text) };
}
