import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ResponseHead } from '../lambda/streamed-response.ts';

/** Lambda's limit on an event and on a result. */
export const maxPayloadBytes = 6 * 2 ** 20;

/** True if API Gateway accepts a function's result. */
export function isProxyResult(result: unknown): result is APIGatewayProxyResult {
  const { statusCode = 0, headers, body } = (result ?? {}) as Partial<APIGatewayProxyResult>;
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599) return false;
  if (typeof (headers ?? {}) !== 'object' || typeof (body ?? '') !== 'string') return false;
  try {
    for (const [name, value] of Object.entries(headers ?? {})) {
      validateHeaderName(name);
      validateHeaderValue(name, String(value));
    }
  } catch {
    return false;
  }
  return Buffer.byteLength(JSON.stringify(result)) <= maxPayloadBytes;
}

/** Returns the headers of a result. REST APIs rename `www-authenticate`. */
export function toHeaders(result: ResponseHead): Headers {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const [name, value] of Object.entries(result.headers ?? {}))
    headers.set(name.toLowerCase() === 'www-authenticate' ? `x-amzn-remapped-${name}` : name, String(value));
  return headers;
}
