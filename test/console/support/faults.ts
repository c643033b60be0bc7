import type { BrowserContext, Page, Request, Route } from 'playwright-core';
import { consoleUrl } from './console.ts';

const { origin } = new URL(consoleUrl);

/** True for requests to the API, not for those to the console's files or to the issuer. */
export const isApi = (url: URL): boolean => url.origin === origin && !url.pathname.startsWith('/console');

/** Responds like the service, or a proxy in front of it, under overload. */
export const respondBusy = (route: Route, retryAfter = 0): Promise<void> =>
  route.fulfill({
    status: 503,
    headers: {
      'retry-after': String(retryAfter),
      'x-request-id': 'busy-1',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'retry-after, x-request-id',
    },
    json: { message: 'Service Unavailable' },
  });

/** Holds requests back until it is opened. */
export interface Gate {
  /** Returns the number of requests held back until now. */
  count: () => number;
  /** Lets all requests pass from now on. */
  open: () => void;
}

/** Holds back each request of a page for which `isHeld` is true, until the gate is opened. */
export async function holdRequests(page: Page | BrowserContext, isHeld: (request: Request) => boolean): Promise<Gate> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  await page.route(isApi, async (route) => {
    if (!isHeld(route.request())) return route.fallback();
    count += 1;
    await promise;
    // The page may have closed or cancelled it by now.
    await route.fallback().catch(() => undefined);
  });
  return { count: () => count, open: resolve };
}
