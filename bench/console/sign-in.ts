import type { Page } from 'playwright-core';

/** Signs in by the page of the local issuer, and waits for the console. */
export async function signIn(page: Page, url: string, name: string): Promise<void> {
  await page.goto(`${url}/`);
  await page.getByLabel('User name').fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}
