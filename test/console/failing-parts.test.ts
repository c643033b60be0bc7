import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { scaleTimeout } from '../support/timeouts.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
import { inspect } from './support/inspect.ts';

const respondNotFound = (route: Route) => route.fulfill({ status: 404, body: 'Not found' });
const waitForStartFailure = (page: Page) => page.getByRole('heading', { name: 'The console cannot start' }).waitFor();

/** A signed-in tab that may report errors: here they are part of the test. */
const withTab = test.extend<{ tab: Page }>({
  tab: async ({ context }, use) => {
    const tab = await context.newPage();
    await use(tab);
    await tab.close();
  },
});

describeConsole('a console with a missing file', () => {
  withTab('says that it cannot start without a valid config.json', async ({ tab }) => {
    const answers = [{ status: 404 }, { body: '<html>' }, { body: 'null' }, { body: '{}' }, { body: '{"api": 1}' }];
    let answer: object = {};
    await tab.route('**/config.json', (route) => route.fulfill(answer));
    for (answer of answers) {
      await tab.goto(`${consoleUrl}/`);
      await waitForStartFailure(tab);
    }
    await inspect(tab, 'cannot-start');
    await tab.unroute('**/config.json');
    await tab.getByRole('button', { name: 'Try again' }).click();
    await tab.getByRole('heading', { name: 'Start' }).waitFor();
  });

  withTab('says that it is loading, or that a script failed to load', async ({ tab }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await tab.route('**/config.json', async (route) => {
      await promise;
      await route.fallback();
    });
    await tab.goto(`${consoleUrl}/`, { waitUntil: 'commit' });
    await tab.getByText('The console is loading …').waitFor();
    resolve();
    await tab.getByRole('heading', { name: 'Start' }).waitFor();

    await tab.route('**/assets/base-*.js', respondNotFound);
    await tab.goto(`${consoleUrl}/`);
    await tab.getByText('A part of the console could not be loaded').waitFor();
  });

  withTab('retries a page that failed to load, and reloads if its file is gone', async ({ tab, context }) => {
    await open(tab, '/');
    await tab.waitForLoadState('networkidle');
    let loads = 0;
    tab.on('request', (request) => (loads += request.isNavigationRequest() ? 1 : 0));
    await tab.route('**/assets/*page-*.js', respondNotFound);
    await tab.getByRole('link', { name: 'API keys' }).click();
    await tab.getByText('This part of the console could not be loaded').waitFor();
    expect(loads).toBe(0);

    // The page is from a deleted release: reloads once per click, never on its own.
    await tab.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => loads).toBe(1);
    await tab.getByText('This part of the console could not be loaded').waitFor();
    expect(loads).toBe(1);
    await tab.unroute('**/assets/*page-*.js');
    await tab.getByRole('button', { name: 'Try again' }).click();
    await tab.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(loads).toBe(1);

    // A part that failed offline loads when the browser is back online.
    await context.setOffline(true);
    await tab.getByRole('link', { name: 'Credentials' }).click();
    await tab.getByRole('heading', { name: 'Not loaded' }).waitFor();
    await context.setOffline(false);
    await tab.getByRole('heading', { name: 'Credentials' }).waitFor();
    expect(loads).toBe(1);
  });

  withTab('works without notifications until their code loads', async ({ tab }) => {
    await tab.route('**/assets/notifications-*.js', respondNotFound);
    await open(tab, '/credentials');
    const isRefused = tab.waitForResponse('**/assets/notifications-*.js');
    await tab.keyboard.press('Tab');
    await isRefused;
    await tab.getByRole('button', { name: 'Add a credential' }).first().click();
    await tab.getByRole('combobox', { name: 'Service' }).fill('deepgram');
    await tab.getByRole('textbox', { name: 'Key' }).fill('dg-something-long');
    await tab.getByRole('button', { name: 'Save' }).click();
    await tab.getByRole('row', { name: 'deepgram' }).waitFor();
    expect(await tab.getByRole('alert').count()).toBe(0);
    await tab.unroute('**/assets/notifications-*.js');
    await tab.keyboard.press('Tab');
    await tab.getByText('Credential saved').waitFor();
  });
});

describeConsole('an unreachable issuer', () => {
  test('is reported on each attempt, and signs in once it is back', async ({ browser }) => {
    const context = await browser.newContext();
    context.setDefaultTimeout(scaleTimeout(90_000));
    const page = await context.newPage();
    await page.route('**/.well-known/openid-configuration', (route) => route.abort());
    await page.goto(`${consoleUrl}/assistants`);
    const failed = page.getByRole('heading', { name: 'The sign-in did not work' });
    await failed.waitFor();
    const isRefused = page.waitForEvent('requestfailed');
    await page.getByRole('button', { name: 'Try again' }).click();
    await isRefused;
    await failed.waitFor();
    await page.unroute('**/.well-known/openid-configuration');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('User name').waitFor();
    await context.close();
  });
});
