import { expect } from 'vitest';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
import { inspect } from './support/inspect.ts';

const pages = {
  start: '/',
  overview: '/overview',
  knowledge: '/knowledge',
  calls: '/calls',
  credentials: '/credentials',
  keys: '/keys',
  activity: '/activity',
  'not-found': '/nowhere',
};

describeConsole('every page', () => {
  test.for(Object.entries(pages))(
    'is accessible at all widths and in both colour schemes: %s',
    async ([name, path], { page }) => {
      await open(page, path);
      await inspect(page, name);
    },
  );
});

describeConsole('the frame', () => {
  test('works by keyboard, moves the focus to the new page, and marks the current one', async ({ page }) => {
    await open(page, '/');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
    await page.getByRole('link', { name: 'Calls' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${consoleUrl}/calls`);
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    await expect.poll(() => page.title()).toBe('Calls · Voice assistants');
    await expect.poll(() => page.getByRole('link', { name: 'Calls' }).getAttribute('aria-current')).toBe('page');
  });

  test('hides its menu behind a button on a phone, unreachable until opened', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, '/');
    const calls = page.getByRole('link', { name: 'Calls' });
    await expect.poll(() => calls.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await inspect(page, 'menu');
    // The menu closes if the window becomes wide enough to show it next to the page.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Open the menu' }).click();
    // Elements under the menu cannot take the focus.
    const hasFocus = (area: string) => page.locator(`${area}:focus-within`).count();
    await page.getByRole('button', { name: /^Account/ }).focus();
    await page.keyboard.press('Tab');
    await expect.poll(() => hasFocus('#content')).toBe(0);
    await page.keyboard.press('Escape');
    await calls.waitFor({ state: 'hidden' });
    await expect.poll(() => hasFocus('header')).toBe(1);
    await page.keyboard.press('Enter');
    await calls.click();
    await page.getByRole('heading', { name: 'Calls' }).waitFor();
    await calls.waitFor({ state: 'hidden' });
  });

  test('remembers the colour scheme', async ({ page }) => {
    await open(page, '/');
    const scheme = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await expect.poll(scheme).toBe('dark');
    await page.reload();
    await expect.poll(scheme).toBe('dark');
    await page.evaluate(() => localStorage.clear());
  });

  test('shows when the browser is offline', async ({ page, context }) => {
    await open(page, '/');
    await context.setOffline(true);
    await page.getByText('You are offline').waitFor();
    await context.setOffline(false);
    await page.getByText('You are offline').waitFor({ state: 'hidden' });
  });
});
