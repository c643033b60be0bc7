import type { Page, Request } from 'playwright-core';
import { isApi } from './faults.ts';

const getGrantType = (request: Request) => new URLSearchParams(request.postData() ?? '').get('grant_type');

/**
 * Makes the API reject the page's current token on writes, as if it had expired. Accepts newer tokens, and all reads:
 * otherwise the page would ask the user to sign in too early.
 */
export async function expireToken(page: Page): Promise<void> {
  let expired: string | undefined;
  await page.route(isApi, async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    const headers = route.request().headers();
    expired ??= headers.authorization;
    const authorization = headers.authorization === expired ? 'Bearer expired' : (headers.authorization ?? '');
    await route.continue({ headers: { ...headers, authorization } });
  });
}

/** Makes the issuer reject the refresh token too. */
export async function expireSession(page: Page): Promise<void> {
  await page.route('**/token', (route) =>
    getGrantType(route.request()) === 'refresh_token'
      ? route.continue({ postData: 'client_id=local-client&grant_type=refresh_token&refresh_token=expired' })
      : route.continue(),
  );
}
