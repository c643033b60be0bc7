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
  'not-found': '/nowhere',
};

describeConsole('every page', () => {
  test.for(Object.entries(pages))(
    'is accessible, at all widths and in all colours: %s',
    async ([name, path], { page }) => {
      await open(page, path);
      await inspect(page, name);
    },
  );
});

describeConsole('the frame', () => {
  test('leads by keyboard, moves the focus to the new page, and says where one is', async ({ page }) => {
    await open(page, '/');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
    await page.getByRole('link', { name: 'Calls' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${consoleUrl}/calls`);
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    expect(await page.title()).toBe('Calls · Voice assistants');
    expect(await page.getByRole('link', { name: 'Calls' }).getAttribute('aria-current')).toBe('page');
  });

  test('has its pages behind a button on a phone, out of reach until it is pressed', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, '/');
    const calls = page.getByRole('link', { name: 'Calls' });
    expect(await calls.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await inspect(page, 'menu');
    await page.setViewportSize({ width: 390, height: 844 });
    await calls.click();
    await page.getByRole('heading', { name: 'Calls' }).waitFor();
    await calls.waitFor({ state: 'hidden' });
  });

  test('keeps the colours that somebody chose', async ({ page }) => {
    await open(page, '/');
    const scheme = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    expect(await scheme()).toBe('dark');
    await page.reload();
    expect(await scheme()).toBe('dark');
    await page.evaluate(() => localStorage.clear());
  });

  test('says when one is offline', async ({ page, context }) => {
    await open(page, '/');
    await context.setOffline(true);
    await page.getByText('You are offline').waitFor();
    await context.setOffline(false);
    await page.getByText('You are offline').waitFor({ state: 'hidden' });
  });
});
