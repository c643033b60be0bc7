/** Fields of CloudFront's event that the function reads. */
interface ViewerRequest {
  request: { uri: string };
}

interface Redirect {
  statusCode: number;
  headers: Record<string, { value: string }>;
}

/**
 * CloudFront function that rewrites a request before the file lookup. Paths without an extension are pages, and all
 * pages except the API reference are one file. Paths with consecutive slashes redirect to the start page, since the app
 * would stay blank there. The function is deployed as its source text, so it must not reference anything outside, and
 * only use ECMAScript 5.1 and `const`, which CloudFront supports.
 */
export function handler(event: ViewerRequest): ViewerRequest['request'] | Redirect {
  const request = event.request;
  const uri = request.uri;
  if (uri === '/' || uri === '/console' || /^\/console\/(.*\/)?\//.test(uri))
    return { statusCode: 302, headers: { location: { value: '/console/' } } };
  if (/^\/docs\/?$/.test(uri)) request.uri = '/console/docs/index.html';
  else if (uri === '/openapi.json') request.uri = '/console/openapi.json';
  else if (/^\/console\/(.*\/)?[^./]*$/.test(uri)) request.uri = '/console/index.html';
  return request;
}
