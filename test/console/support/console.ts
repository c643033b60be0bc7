import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { test as base, beforeEach, describe, expect, inject } from 'vitest';
import { type Client, createClient, createToken } from '../../support/api.ts';
import { isDrawn } from '../../support/sample.ts';
import { scaleTimeout } from '../../support/timeouts.ts';
import { chromiumPath, launch } from './chromium.ts';
import { signInTo } from './sign-in.ts';

/** URL of the console on the local host, without a trailing slash. */
export const consoleUrl = `${inject('baseUrl')}/console`;

/** Groups tests that need a browser. A run that samples its cases runs a third of them. */
export const describeConsole = (name: string, tests: () => void) =>
  describe.skipIf(!chromiumPath)(name, () => {
    beforeEach(({ task, skip }) => skip(!isDrawn(`${name} ${task.name}`, 3), 'not drawn in this run'));
    tests();
  });

/** Signs in to the console of the local host. */
export const signIn = (page: Page, sub: string, path = '/'): Promise<void> => signInTo(page, consoleUrl + path, sub);

/**
 * Gives a new tab the session of the tab that signed in, like a duplicated tab. The redirect to the issuer and back
 * would take most of a test's time.
 */
function restoreSession({ origin, session }: { origin: string; session: Record<string, string> }): void {
  const isReturning = location.pathname.endsWith('/signed-in');
  if (location.origin !== origin || isReturning || window.name === 'restored') return;
  window.name = 'restored';
  for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
}

/** Collects a page's errors and violations of its security policy. A 4xx response, also to a WebSocket, is not an error. */
function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/^(?:Failed to load resource|WebSocket connection to)/.test(message.text()))
      errors.push(message.text());
  });
  return errors;
}

interface Fixtures {
  browser: Browser;
  /** User that no other file shares, to set up data through the API. */
  user: Client;
  /** Browser context that is signed in as the user. */
  context: BrowserContext;
  /** New blank tab. Fails the test if the page reported an error. */
  page: Page;
}

/** Browser test that is signed in as the file's own user. */
export const test = base.extend<Fixtures>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's dependencies from it
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
      await use(createClient(sub, await createToken(sub)));
    },
    { scope: 'file' },
  ],
  context: [
    async ({ browser, user }, use) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      context.setDefaultTimeout(scaleTimeout(90_000));
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
    const errors = collectErrors(page);
    await use(page);
    await page.close();
    expect(errors).toEqual([]);
  },
});

/** Opens a page of the console as the signed-in user, and waits for its heading. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(consoleUrl + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
}
