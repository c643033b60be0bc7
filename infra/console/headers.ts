import type { Places } from './places.ts';

/** What the pages may load. `default-src` and `connect-src` are missing: they are the page's own (`documentAt`). */
const sources = {
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

const policy = (directives: Record<string, string>) =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

/** Seconds for which a browser that was here by https comes by nothing else: two years. */
export const httpsOnlySeconds = 63_072_000;

/** On everything that a console is made of, by CloudFront as by the local host. */
export const headers = {
  'content-security-policy': policy({ ...sources, 'frame-ancestors': "'none'" }),
  'strict-transport-security': `max-age=${httpsOnlySeconds}; includeSubDomains`,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin-allow-popups', // people sign in again in a popup
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * The built page with the rest of its policy: it loads nothing that is not named, and sends requests only to where it belongs. This is
 * part of the page, and not of the headers, since CloudFront has to be there before the API, which must know the console's origin.
 * A browser obeys both.
 */
export function documentAt({ config, connect }: Places, html: string): string {
  const own = policy({
    'default-src': "'none'",
    ...sources,
    'connect-src': ["'self'", `${config.api}/`, ...connect].join(' '),
  });
  // Browsers look for the encoding in the first kilobyte only, so the policy comes just after it.
  const [, before = '', after] = /^(.*?<meta charset="utf-8" ?\/?>)(.*)$/s.exec(html) ?? [];
  if (after === undefined) throw new Error('A page must begin with <meta charset="utf-8">');
  return `${before}\n    <meta http-equiv="Content-Security-Policy" content="${own}" />${after}`;
}

/** How long a browser may keep a file: for good where its name tells its content, and else only as long as it asks. */
export const caching = {
  hashed: 'public, max-age=31536000, immutable',
  named: 'no-cache',
  config: 'no-store',
};
