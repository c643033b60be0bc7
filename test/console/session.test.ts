import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { createAssistant } from '../support/assistants.ts';
import { consoleUrl, describeConsole, open, signIn, test } from './support/console.ts';
import { expireSession, expireToken } from './support/expiry.ts';
import { inspect } from './support/inspect.ts';
import { signOut } from './support/sign-in.ts';

/** Opens two tabs of one browser, in which a user has signed in. */
async function openTwoTabs(browser: Browser) {
  const context = await browser.newContext();
  const [page, other] = [await context.newPage(), await context.newPage()];
  await signIn(page, 'bob', '/assistants');
  await other.goto(`${consoleUrl}/assistants`);
  return { context, page, other };
}

describeConsole('signing in', () => {
  test('leads to the requested page, and signing out ends the session', async ({ browser }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await signIn(page, 'bob', '/assistants?name=x');
    await page.getByRole('heading', { name: 'Assistants' }).waitFor();

    expect(await page.evaluate(() => Object.keys(localStorage).join())).not.toContain('oidc');
    await page.getByRole('button', { name: 'Account: bob' }).click();
    const revocation = page.waitForRequest('**/revoke');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    expect(new URLSearchParams((await revocation).postData() ?? '').get('token_type_hint')).toBe('refresh_token');
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await inspect(page, 'signed-out');
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('token');

    // The issuer's session has ended too.
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('User name').waitFor();
    await context.close();
  });

  test('is undone by another tab, also while this one shows another page', async ({ browser }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await signIn(page, 'bob', '/assistants');
    await page.getByRole('heading', { name: 'Assistants' }).waitFor();
    await page.goto('about:blank');
    const other = await context.newPage();
    await other.goto(`${consoleUrl}/assistants`);
    await other.getByRole('heading', { name: 'Assistants' }).waitFor();
    await signOut(other);
    await other.getByRole('heading', { name: 'You are signed out' }).waitFor();
    const revocation = page.waitForRequest('**/revoke');
    await page.goto(`${consoleUrl}/assistants`);
    await revocation;
    await page.getByLabel('User name').waitFor();
    await signIn(page, 'bob', '/assistants');
    await page.reload();
    await page.getByRole('heading', { name: 'Assistants' }).waitFor();
    await context.close();
  });

  test('is undone by a tab whose own session has ended before', async ({ browser }) => {
    const { context, page, other } = await openTwoTabs(browser);
    const getDialog = (on: Page) => on.getByRole('dialog', { name: 'You have signed out in another tab' });
    await signOut(other);
    await getDialog(page).getByRole('button', { name: 'Not now' }).click();
    await other.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await signIn(other, 'bob', '/assistants');
    await signOut(page);
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await getDialog(other).waitFor();
    await context.close();
  });

  test('is undone while this tab renews its token', async ({ browser }) => {
    const { context, page, other } = await openTwoTabs(browser);
    await page.evaluate(() => {
      for (const [key, value] of Object.entries(sessionStorage))
        if (key.startsWith('oidc.user:'))
          sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(value), expires_at: 1 }));
    });
    const { promise: signedOut, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/token', async (route) => {
      const response = await route.fetch();
      await signedOut;
      await route.fulfill({ response });
    });
    const asked = page.waitForRequest('**/token');
    await page.reload();
    await asked;
    await signOut(other);
    await other.getByRole('heading', { name: 'You are signed out' }).waitFor();
    goOn();
    await page.getByLabel('User name').waitFor();
    await context.close();
  });

  test('is not undone by a page that opens the address in a new tab', async ({ browser }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await signIn(page, 'bob', '/assistants');
    const opened = await context.newPage();
    await opened.goto(`${consoleUrl}/sign-out`);
    await opened.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
    await context.close();
  });

  test('can be undone even if the issuer cannot revoke tokens', async ({ browser }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await signIn(page, 'bob', '/assistants');
    await page.route('**/revoke', (route) => route.abort());
    await signOut(page);
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await context.close();
  });

  test('can be undone offline, in this browser', async ({ browser }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await signIn(page, 'bob', '/assistants');
    await page.getByRole('heading', { name: 'Assistants' }).waitFor();
    await context.setOffline(true);
    await signOut(page);
    await page.getByRole('heading', { name: 'Assistants' }).waitFor({ state: 'detached' });
    await context.setOffline(false);
    await page.goto(`${consoleUrl}/assistants`);
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await context.close();
  });

  test('can be undone if the issuer has no sign-out page', async ({ browser }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route('**/openid-configuration', async (route) => {
      const response = await route.fetch();
      const { end_session_endpoint, revocation_endpoint, ...others } = await response.json();
      await route.fulfill({ response, json: others });
    });
    await signIn(page, 'bob', '/assistants');
    await signOut(page);
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('token');
    await context.close();
  });

  test('reports a failure, and can be retried', async ({ page }) => {
    await page.goto(`${consoleUrl}/assistants`);
    await page.getByRole('heading', { name: 'Assistants' }).waitFor();
    await page.evaluate(() => sessionStorage.clear());
    await page.route('**/token', (route) => route.continue({ postData: 'client_id=local-client&grant_type=none' }));
    await page.reload();
    await page.getByRole('heading', { name: 'The sign-in did not work' }).waitFor();
    await page.unroute('**/token');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Start' }).waitFor();
  });

  test('sends the parameters that the deployment configures', async ({ browser }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.route('**/config.json', async (route) => {
      const config = await (await route.fetch()).json();
      await route.fulfill({ json: { ...config, authorizeParams: { audience: 'https://voice' } } });
    });
    const asked = page.waitForRequest('**/authorize?*');
    await page.goto(`${consoleUrl}/`);
    expect(new URL((await asked).url()).searchParams.get('audience')).toBe('https://voice');
    await context.close();
  });

  test('does not restart with the back button', async ({ browser }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await signIn(page, 'bob', '/calls');
    await page.getByRole('heading', { name: 'Calls' }).waitFor();
    await page.goBack();
    await page.waitForURL(`${consoleUrl}/`);
    await page.getByRole('heading', { name: 'Start' }).waitFor();
    await context.close();
  });

  test('explains the URL of an old sign-in', async ({ page }) => {
    await page.goto(`${consoleUrl}/signed-in?code=old&state=old`);
    await page.getByRole('heading', { name: 'You can close this window' }).waitFor();
    await page.getByRole('button', { name: 'Open the console' }).click();
    await page.getByRole('heading', { name: 'Start' }).waitFor();
  });
});

describeConsole('a session', () => {
  test('is renewed silently when its token has expired', async ({ page, user }) => {
    const { body } = await createAssistant(user, { name: 'Renewed' });
    await open(page, `/assistants/${body.id}`);
    await expireToken(page);
    await page.getByRole('textbox', { name: 'Description' }).fill('Typed before');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await user.get(`/assistants/${body.id}`)).body).toMatchObject({ description: 'Typed before' });
  });

  test('is resumed with a popup if it expires during an edit, and nothing typed is lost', async ({ page, user }) => {
    const { body } = await createAssistant(user, { name: 'Interrupted' });
    await open(page, `/assistants/${body.id}`);
    await expireToken(page);
    await expireSession(page);
    await page.getByRole('textbox', { name: 'Description' }).fill('Typed before');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    // The save in the background waits.
    await inspect(page, 'session-ended', { isLoading: true });

    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByRole('alert').getByText('You are not signed in').waitFor();
    // Simulates a browser that blocks one popup.
    await page.evaluate(() => {
      const { open } = window;
      window.open = () => {
        window.open = open;
        return null;
      };
    });
    await page.getByRole('main').getByRole('button', { name: 'Sign in again' }).click();
    await page.getByText('Your browser blocked the window.').waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('Typed before');

    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in again' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await user.get(`/assistants/${body.id}`)).body).toMatchObject({ description: 'Typed before' });
  });

  test('cannot be taken over by another user', async ({ page, user }) => {
    const { body } = await createAssistant(user, { name: 'Mine' });
    await open(page, `/assistants/${body.id}`);
    await expireToken(page);
    await expireSession(page);
    await page.getByRole('textbox', { name: 'Description' }).fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.context().clearCookies();
    const popup = page.waitForEvent('popup');
    await dialog.getByRole('button', { name: 'Sign in again' }).click();
    const window = await popup;
    await window.getByLabel('User name').fill('mallory');
    await window.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('You signed in as mallory').waitFor();
    expect((await user.get(`/assistants/${body.id}`)).body).toMatchObject({ description: null });

    // The dialog has no way back except as the same user. Otherwise the page would be sent as somebody else.
    await page.keyboard.press('Escape');
    await dialog.getByText('You signed in as mallory').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);

    const again = page.waitForEvent('popup');
    await dialog.getByRole('button', { name: 'Sign in again' }).click();
    const second = await again;
    await second.getByLabel('User name').fill(user.sub);
    await second.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
  });
});
