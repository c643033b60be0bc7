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
 * pages are one file; whatever has one must be there. Its text is what is deployed: it may use nothing from outside.
 */
export function handler({ request }: ViewerRequest): ViewerRequest['request'] | Redirect {
  const { uri } = request;
  if (uri === '/' || uri === '/console') return { statusCode: 302, headers: { location: { value: '/console/' } } };
  if (/^\/console\/(.*\/)?[^./]*$/.test(uri)) request.uri = '/console/index.html';
  return request;
}
