import type { IncomingMessage } from 'node:http';
import { userAgents } from '../../../shared/outbound/user-agents.ts';
import { isLoopback } from './loopback.ts';

type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** True if a request is a form that uploads a file to a bucket. S3 checks the signed policy of the form. */
export const isUploadForm = ({ method, url = '', headers }: RequestHead): boolean =>
  method === 'POST' &&
  /^\/[^/?]+\/?$/.test(url) &&
  headers['x-amz-target'] === undefined &&
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');

/** True if a request is the CORS preflight request of a form. It names no operation of a service. */
export const isPreflight = ({ method, headers }: RequestHead): boolean =>
  method === 'OPTIONS' && headers['x-amz-target'] === undefined;

/** True if a webhook, a tool or `/mcp` sent a request. They may reach this machine, but not its services. */
export const isFromService = ({ headers }: RequestHead): boolean =>
  Object.values(userAgents).some((name) => name === headers['user-agent']);

/**
 * True if a service may answer a request. Every web page in a local browser can send requests to the services, so only signed forms and
 * their CORS preflight requests are allowed from pages, and only from pages of this machine. Requests with a foreign `Host` are rejected to prevent DNS rebinding.
 */
export function isAllowed(request: RequestHead): boolean {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  if (isFromService(request)) return false;
  const isFromPage = origin !== undefined || site !== undefined;
  const isForForm = isPreflight(request) || isUploadForm(request);
  return isLoopback(`http://${host}`) && (!isFromPage || (isForForm && isLoopback(origin ?? '')));
}
