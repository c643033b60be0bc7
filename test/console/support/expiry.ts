import type { Page, Request } from 'playwright-core';
import { isApi } from './faults.ts';

const grantOf = (request: Request) => new URLSearchParams(request.postData() ?? '').get('grant_type');

/** Has the API refuse the token that the page uses from now on, as one that has expired. Others pass. */
export async function expireToken(page: Page): Promise<void> {
  // Not what the page still reads, or it would ask to sign in before the test is there.
  await page.waitForLoadState('networkidle');
  let expired: string | undefined;
  await page.route(isApi, async (route) => {
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
