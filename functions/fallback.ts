import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { env } from '../shared/env.ts';
import { gatewayFaults } from '../shared/errors.ts';
import { header } from '../shared/middleware/onion.ts';
import { httpResponse } from '../shared/middleware/respond.ts';

/** The methods of every path, as the stack derives them from the routes. */
const methods: Record<string, string[]> = JSON.parse(env('METHODS'));

const preflightHeaders = 'authorization, content-type, idempotency-key, if-match, if-none-match';

/**
 * Answers what no route does: an unknown path with 404, an unknown method with 405, and a browser's preflight.
 * A function, because the gateway itself answers an unknown path that carries a Bearer token with 403.
 */
export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const allowed = methods[event.resource];
  if (!allowed) {
    const { status, loc, msg, type } = gatewayFaults.noSuchPath;
    return httpResponse(event, status, { detail: [{ loc, msg, type }] });
  }
  const allow = [...allowed, 'OPTIONS'].join(', ');
  if (event.httpMethod !== 'OPTIONS') {
    const detail = [{ loc: ['path'], msg: `This path takes ${allow}`, type: 'method_not_allowed' }];
    return httpResponse(event, 405, { detail }, { allow });
  }
  const preflight = header(event, 'access-control-request-method') && {
    'access-control-allow-methods': allow,
    'access-control-allow-headers': preflightHeaders,
    'access-control-max-age': '7200',
  };
  return httpResponse(event, 200, undefined, { allow, ...preflight });
};
