import type { Page, Request } from 'playwright-core';
import { isApi } from './faults.ts';

const grantOf = (request: Request) => new URLSearchParams(request.postData() ?? '').get('grant_type');

/**
 * Has the API refuse the token that the page uses from now on, as one that has expired, wherever it is to do something. Others pass,
 * and so does what the page still reads: else it would ask to sign in before the test is there.
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

/** Has the issuer refuse the refresh token, too. */
export async function expireSession(page: Page): Promise<void> {
  await page.route('**/token', (route) =>
    grantOf(route.request()) === 'refresh_token'
      ? route.continue({ postData: 'client_id=local-client&grant_type=refresh_token&refresh_token=expired' })
      : route.continue(),
  );
}
