/** The part of CloudFront's event that is looked at here. */
interface ViewerRequest {
  request: { uri: string };
}

interface Redirect {
  statusCode: number;
  headers: Record<string, { value: string }>;
}

/**
 * What CloudFront does with a request before it looks for the file. Addresses without an extension are those of pages, and all
 * pages are one file, but that of the API reference; whatever has one must be there. One with slashes in a row leads to the start,
 * since the page would be blank there. Its text is what is deployed, so it may use nothing from outside, and of the language only
 * what CloudFront knows: ECMAScript 5.1, and `const`.
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
