import type { IncomingMessage } from 'node:http';
import { isLoopback } from './loopback.ts';

type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** True if a request is a form that uploads a file to a bucket. S3 checks the signed policy of the form. */
export const isUploadForm = ({ method, url = '', headers }: RequestHead): boolean =>
  method === 'POST' &&
  /^\/[^/?]+\/?$/.test(url) &&
  headers['x-amz-target'] === undefined &&
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');

/**
 * True if a service may answer a request. Every web page in a local browser can send requests to the services, so only signed forms and
 * their CORS preflight requests are allowed from pages. Requests with a foreign `Host` are rejected to prevent DNS rebinding.
 */
export function isAllowed(request: RequestHead): boolean {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  const isFromPage = origin !== undefined || site !== undefined;
  return isLoopback(`http://${host}`) && (!isFromPage || request.method === 'OPTIONS' || isUploadForm(request));
}
