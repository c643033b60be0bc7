import type { OwnApi } from '../mcp/call-operation.ts';
import type { Route } from '../route.ts';
import { findKey } from '../store/api-keys/api-key-lookup.ts';
import { buildHandler, type Handler } from './handler.ts';
import { jsonBody } from './middleware/body.ts';
import { getHeader, type Middleware, type MiddlewareRequest } from './middleware/middleware.ts';
import { validate } from './middleware/validate.ts';
import { getOwnUrl } from './own-url.ts';
import type { Request } from './request.ts';
import type { Answered } from './result.ts';

/** Headers that say who the client is, and go to our own API unchanged. */
const ownHeaders = ['authorization', 'x-workspace'];

/** Headers of the Model Context Protocol. */
const protocolHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

const pickHeaders = (event: MiddlewareRequest['event'], names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = getHeader(event, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Additional fields of the request of a handler: this API as the client reached it, and the headers of the protocol. */
interface Served {
  api: OwnApi;
  headers: Record<string, string>;
}

/** Lets a handler call this API as its client does. */
const callAsClient = (route: Route): Middleware => ({
  before({ event }) {
    const api = { url: getOwnUrl(event, route), headers: pickHeaders(event, ownHeaders) };
    Object.assign(event.request, { api, headers: pickHeaders(event, protocolHeaders) } satisfies Served);
  },
});

/** Creates the Lambda handler of a route that serves the Model Context Protocol. */
export const mcpEndpoint = <R extends Route & { body: object }>(
  route: R,
  rule: (request: Request<R> & Served) => Promise<Answered>,
): Handler => buildHandler(route, rule as never, findKey, [jsonBody(route), validate(route), callAsClient(route)]);
