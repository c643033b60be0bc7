import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { patient } from '../support/patience.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
import { inspect } from './support/inspect.ts';

const missing = (route: Route) => route.fulfill({ status: 404, body: 'Not found' });
const cannotStart = (page: Page) => page.getByRole('heading', { name: 'The console cannot start' }).waitFor();

/** A tab of whoever has signed in, whose complaints are what the test is about. */
const withTab = test.extend<{ tab: Page }>({
  tab: async ({ context }, use) => {
    const tab = await context.newPage();
    await use(tab);
    await tab.close();
  },
});

describeConsole('a console of which a part is missing', () => {
  withTab('says that it cannot start without its settings, whatever is in their place', async ({ tab }) => {
    const answers = [{ status: 404 }, { body: '<html>' }, { body: 'null' }, { body: '{}' }, { body: '{"api": 1}' }];
    let answer: object = {};
    await tab.route('**/config.json', (route) => route.fulfill(answer));
    for (answer of answers) {
      await tab.goto(`${consoleUrl}/`);
      await cannotStart(tab);
    }
    await inspect(tab, 'cannot-start');
    await tab.unroute('**/config.json');
    await tab.getByRole('button', { name: 'Try again' }).click();
    await tab.getByRole('heading', { name: 'Start' }).waitFor();
  });

  withTab('says that it loads where that takes long, and that a script did not come', async ({ tab }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await tab.route('**/config.json', async (route) => {
      await promise;
      await route.fallback();
    });
    await tab.goto(`${consoleUrl}/`, { waitUntil: 'commit' });
    await tab.getByText('The console is loading …').waitFor();
    resolve();
    await tab.getByRole('heading', { name: 'Start' }).waitFor();

    await tab.route('**/assets/base-*.js', missing);
    await tab.goto(`${consoleUrl}/`);
    await tab.getByText('A part of the console could not be loaded').waitFor();
  });

  withTab(
    'offers a page that did not come again, and loads it anew where its file is gone',
    async ({ tab, context }) => {
      await open(tab, '/');
      await tab.waitForLoadState('networkidle');
      let loads = 0;
      tab.on('request', (request) => (loads += request.isNavigationRequest() ? 1 : 0));
      await tab.route('**/assets/*page-*.js', missing);
      await tab.getByRole('link', { name: 'API keys' }).click();
      await tab.getByText('This part of the console could not be loaded').waitFor();
      expect(loads).toBe(0);

      // An old page, whose release is gone: once for each press, and never by itself.
      await tab.getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => loads).toBe(1);
      await tab.getByText('This part of the console could not be loaded').waitFor();
      expect(loads).toBe(1);
      await tab.unroute('**/assets/*page-*.js');
      await tab.getByRole('button', { name: 'Try again' }).click();
      await tab.getByRole('heading', { name: 'API keys' }).waitFor();
      expect(loads).toBe(1);

      // One that did not come while offline comes by itself.
      await context.setOffline(true);
      await tab.getByRole('link', { name: 'Credentials' }).click();
      await tab.getByRole('heading', { name: 'Not loaded' }).waitFor();
      await context.setOffline(false);
      await tab.getByRole('heading', { name: 'Credentials' }).waitFor();
      expect(loads).toBe(1);
    },
  );

  withTab('works without what tells in a corner that something was done, which comes later', async ({ tab }) => {
    await tab.route('**/assets/notifications-*.js', missing);
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

describeConsole('an issuer that is dead', () => {
  test('is told, each time that one tries, and leads on when it is back', async ({ browser }) => {
    const context = await browser.newContext();
    context.setDefaultTimeout(patient(30_000));
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
