import { expect } from 'vitest';
import { routes } from '../../shared/routes/index.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
import { waitUntilSettled } from './support/inspect.ts';

const { origin } = new URL(consoleUrl);

describeConsole('the API reference', () => {
  test('opens from the console, lists every operation, fits a phone and contacts no other host', async ({ page }) => {
    await open(page, '/keys');
    const link = page.getByRole('link', { name: 'API reference' });
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    // Opens it in this tab, since only this tab's errors are checked.
    await link.evaluate((anchor) => anchor.removeAttribute('target'));
    await link.click();
    await page.getByText('/protected', { exact: true }).waitFor();
    expect(await page.locator('.opblock').count()).toBe(routes.length);
    await page.getByText('Create an assistant', { exact: true }).click();
    await page.getByText('Request body').waitFor();
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await waitUntilSettled(page);
      await page.screenshot({ path: `test/console/screenshots/reference-${width}.png` });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    expect([...hosts]).toEqual([origin]);
  });
});
