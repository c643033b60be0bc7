import type { Page } from 'playwright-core';

/** Signs in on the issuer's page, and waits for the requested page of the console. */
export async function signInTo(page: Page, url: string, sub: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('User name').fill(sub);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(url);
}

/** Signs out with the account menu. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}
