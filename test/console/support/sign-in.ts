import type { Page } from 'playwright-core';

/** Signs in by the issuer's own page, and waits for the page of the console that was wanted. */
export async function signInAt(page: Page, url: string, sub: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('User name').fill(sub);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(url);
}

/** Presses what signs out, in the menu of the account. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}
