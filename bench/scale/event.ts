import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Changes to the event of a route from `events/`. */
export interface RequestOverrides {
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** Fields that are merged into the event's JSON body. */
  fields?: object;
}

/** Sends a request with a token or an API key, and returns the body of the 200. Throws on any other status. */
export type SendRequest = (route: string, bearer: string, asked?: RequestOverrides) => Promise<string>;

/** Builds the event of a route with a token or an API key. Replaces the query by `query`. */
export function buildEvent(
  route: string,
  bearer: string,
  { params, query, fields }: RequestOverrides = {},
): APIGatewayProxyEvent {
  const text = readFileSync(join(import.meta.dirname, '../../events', `${route}.json`), 'utf8');
  const event: APIGatewayProxyEvent = JSON.parse(text.replaceAll(/<token>|<api key>/g, bearer));
  const many = Object.entries(query ?? {}).map(([name, value]) => [name, [value]]);
  return {
    ...event,
    path: event.resource.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params?.[name] ?? '')),
    pathParameters: params ?? null,
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: query ? Object.fromEntries(many) : null,
    ...(fields && { body: JSON.stringify({ ...JSON.parse(event.body ?? '{}'), ...fields }) }),
  };
}
