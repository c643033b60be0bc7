import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { env } from '../shared/env.ts';
import { gatewayFaults } from '../shared/errors.ts';
import { getHeader } from '../shared/http/middleware/middleware.ts';
import { buildHttpResponse } from '../shared/http/middleware/respond.ts';

/** Allowed methods per path. The stack derives them from the routes. */
const methods: Record<string, string[]> = JSON.parse(env('METHODS'));

const preflightHeaders = 'authorization, content-type, idempotency-key, if-match, if-none-match, x-workspace';

/** Matches headers that OpenAI's client adds to describe itself. No route reads them, but its browser asks for them. */
const clientHeader = /^x-stainless-[a-z-]{1,40}$/;

/** Maximum number of headers of the client that a preflight allows. The client adds eight. */
const maxClientHeaders = 20;

/** Returns the headers that a request may have, after its preflight. */
function listAllowedHeaders(event: APIGatewayProxyEvent): string {
  const asked = (getHeader(event, 'access-control-request-headers') ?? '').toLowerCase().split(/\s*,\s*/);
  const clientHeaders = [...new Set(asked.filter((name) => clientHeader.test(name)))].slice(0, maxClientHeaders);
  return [preflightHeaders, ...clientHeaders].join(', ');
}

/**
 * Handles requests that match no route: unknown paths (404), unknown methods (405), and CORS preflights. Not left to
 * API Gateway, which returns 403 for an unknown path with a bearer token.
 */
export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const allowed = methods[event.resource];
  if (!allowed) {
    const { status, loc, msg, type } = gatewayFaults.noSuchPath;
    return buildHttpResponse(event, status, { detail: [{ loc, msg, type }] });
  }
  const allow = [...allowed, 'OPTIONS'].join(', ');
  if (event.httpMethod !== 'OPTIONS') {
    const detail = [{ loc: ['path'], msg: `This path allows ${allow}`, type: 'method_not_allowed' }];
    return buildHttpResponse(event, 405, { detail }, { allow });
  }
  const preflight = getHeader(event, 'access-control-request-method') && {
    'access-control-allow-methods': allow,
    'access-control-allow-headers': listAllowedHeaders(event),
    'access-control-max-age': '7200',
  };
  return buildHttpResponse(event, 200, undefined, { allow, ...preflight });
};
