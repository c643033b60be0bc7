import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';

/** What a request asks for, where its event in `events/` asks for something else. */
export interface Asked {
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** Fields over those of the event's JSON body. */
  fields?: object;
}

/** Asks a route as the holder of a token or an API key, and gives the body of its 200. Throws where it is refused. */
export type Ask = (route: string, bearer: string, asked?: Asked) => Promise<string>;

/** The event of a route, as the holder of a token or an API key sends it. Its query is `query` and nothing else. */
export function eventOf(route: string, bearer: string, { params, query, fields }: Asked = {}): APIGatewayProxyEvent {
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
