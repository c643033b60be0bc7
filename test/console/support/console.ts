import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { test as base, beforeEach, describe, expect, inject } from 'vitest';
import { type Client, clientWith, tokenFor } from '../../support/api.ts';
import { patient } from '../../support/patience.ts';
import { isDrawn } from '../../support/sample.ts';
import { chromiumPath, launch } from './chromium.ts';
import { signInAt } from './sign-in.ts';

/** Where the local host serves the console, without a slash at its end. */
export const consoleUrl = `${inject('baseUrl')}/console`;

/** A group of tests that need a browser. A run that draws cases has a third of them. */
export const describeConsole = (name: string, tests: () => void) =>
  describe.skipIf(!chromiumPath)(name, () => {
    beforeEach(({ task, skip }) => skip(!isDrawn(`${name} ${task.name}`, 3), 'not drawn in this run'));
    tests();
  });

/** Signs in to the console of the local host. */
export const signIn = (page: Page, sub: string, path = '/'): Promise<void> => signInAt(page, consoleUrl + path, sub);

/**
 * Gives a new tab the session of the one in which the user signed in, as a duplicated tab has it. The way to the issuer and back
 * would take most of a test's time.
 */
function restoreSession({ origin, session }: { origin: string; session: Record<string, string> }): void {
  const isReturning = location.pathname.endsWith('/signed-in');
  if (location.origin !== origin || isReturning || window.name === 'restored') return;
  window.name = 'restored';
  for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
}

/** Whatever a page complains of: errors of its own, and what its policy refused. Answers of 4xx are no complaint. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  return complaints;
}

interface Fixtures {
  browser: Browser;
  /** A user whom no other file knows, to prepare by the API what the browser is to find. */
  user: Client;
  /** A browser in which the user has signed in. */
  context: BrowserContext;
  /** A new tab, at no address yet. It has complained of nothing when the test ends. */
  page: Page;
}

/** A test in a browser, in which a user of the file's own has signed in. */
export const test = base.extend<Fixtures>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from it
    async ({}, use) => {
      const browser = await launch();
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  user: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const sub = `ada-${randomUUID().slice(0, 6)}`;
      await use(clientWith(sub, await tokenFor(sub)));
    },
    { scope: 'file' },
  ],
  context: [
    async ({ browser, user }, use) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      context.setDefaultTimeout(patient(30_000));
      const page = await context.newPage();
      await signIn(page, user.sub);
      await context.addInitScript(restoreSession, {
        origin: new URL(consoleUrl).origin,
        session: await page.evaluate(() => ({ ...sessionStorage })),
      });
      await page.close();
      await use(context);
      await context.close();
    },
    { scope: 'file' },
  ],
  page: async ({ context }, use) => {
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await use(page);
    await page.close();
    expect(complaints).toEqual([]);
  },
});

/** Opens a page of the console as whoever has signed in in this browser, and waits for its heading. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(consoleUrl + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
}
