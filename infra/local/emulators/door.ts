import type { IncomingMessage } from 'node:http';
import { isLoopback } from './loopback.ts';

type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** True if a request is a form that sends a file to a bucket. Its policy says who may, which S3 checks. */
export const isUploadForm = ({ method, url = '', headers }: Asked): boolean =>
  method === 'POST' &&
  /^\/[^/?]+\/?$/.test(url) &&
  headers['x-amz-target'] === undefined &&
  /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');

/**
 * True if a service may answer a request. On this machine every page in a browser can send requests to every service, so none is
 * answered but signed forms, and the question whether they may be sent (CORS). A `Host` by another name is that of a page whose name
 * was made to lead here (DNS rebinding).
 */
export function isWelcome(request: Asked): boolean {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  const isOfPage = origin !== undefined || site !== undefined;
  return isLoopback(`http://${host}`) && (!isOfPage || request.method === 'OPTIONS' || isUploadForm(request));
}
