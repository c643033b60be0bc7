import type { BrowserContext, Page, Request, Route } from 'playwright-core';
import { consoleUrl } from './console.ts';

const { origin } = new URL(consoleUrl);

/** Whether a request is one to the API, and not for the console itself, nor to the issuer. */
export const isApi = (url: URL): boolean => url.origin === origin && !url.pathname.startsWith('/console');

/** Answers as the service does when it is overloaded, or as something in front of it does. */
export const answerBusy = (route: Route, retryAfter = 0): Promise<void> =>
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

/** What holds requests back, and lets them go. */
export interface Gate {
  /** How many were held back. */
  count: () => number;
  /** Lets all pass, from now on. */
  open: () => void;
}

/** Holds back every request of a page that is `meant`, until the gate is opened. */
export async function hold(page: Page | BrowserContext, meant: (request: Request) => boolean): Promise<Gate> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  await page.route(isApi, async (route) => {
    if (!meant(route.request())) return route.fallback();
    count += 1;
    await promise;
    // Whoever asked may have gone meanwhile.
    await route.fallback().catch(() => undefined);
  });
  return { count: () => count, open: resolve };
}
