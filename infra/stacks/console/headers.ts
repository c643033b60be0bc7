import type { ConsoleDeployment } from './deployment.ts';

/**
 * Content security policy of the headers. The page itself adds `default-src` and `connect-src` (`addContentPolicy`).
 */
const directives = {
  'script-src': "'self'",
  // The component library writes its variables and breakpoints into style elements.
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'manifest-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
};

const formatPolicy = (policy: Record<string, string>) =>
  Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

/** Two years, for which a browser uses only https after its first visit. */
export const httpsOnlySeconds = 63_072_000;

/** Security headers of all console files, on CloudFront and on the local host. */
export const headers = {
  'content-security-policy': formatPolicy({ ...directives, 'frame-ancestors': "'none'" }),
  'strict-transport-security': `max-age=${httpsOnlySeconds}; includeSubDomains`,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(self), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin-allow-popups', // users sign in again in a popup
  'cross-origin-resource-policy': 'same-origin',
};

/** Lists the sources of a server of LiveKit: calls are WebSockets, and a request asks why one was refused. */
const listSources = (server: string) => [server, server.replace(/^ws/, 'http')];

/**
 * Returns the page with the rest of its content security policy: it loads nothing that is not listed, and sends
 * requests only to its deployment. This part is in the page, not in the headers, because CloudFront must exist before
 * the API, which needs the console's origin. Browsers enforce both.
 */
export function addContentPolicy({ config, connect }: ConsoleDeployment, html: string): string {
  const pagePolicy = formatPolicy({
    'default-src': "'none'",
    ...directives,
    'connect-src': ["'self'", `${config.api}/`, ...connect, ...config.voiceServers.flatMap(listSources)].join(' '),
  });
  // Browsers look for the charset only in the first kilobyte, so the policy follows it.
  const [, before = '', after] = /^(.*?<meta charset="utf-8" ?\/?>)(.*)$/s.exec(html) ?? [];
  if (after === undefined) throw new Error('The page has no <meta charset="utf-8">');
  return `${before}\n    <meta http-equiv="Content-Security-Policy" content="${pagePolicy}" />${after}`;
}

/**
 * Cache-Control headers: immutable for file names with a content hash, revalidation for the other files, no storage for
 * the configuration.
 */
export const cacheControl = {
  hashed: 'public, max-age=31536000, immutable',
  named: 'no-cache',
  config: 'no-store',
};
