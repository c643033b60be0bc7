import type { Page } from 'playwright-core';

/** Signs in by the issuer's own page, and waits for the page of the console that was wanted. */
export async function signInAt(page: Page, url: string, sub: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('User name').fill(sub);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(url);
}
