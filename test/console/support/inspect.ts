import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'test/console/screenshots');
mkdirSync(folder, { recursive: true });

/** Axe takes a second; what it finds depends on width and on colours, not on both at once. */
const views = [
  { width: 1280, height: 800, colorScheme: 'light', withAxe: true },
  { width: 1280, height: 800, colorScheme: 'dark', withAxe: false },
  { width: 390, height: 844, colorScheme: 'dark', withAxe: true },
  { width: 390, height: 844, colorScheme: 'light', withAxe: false },
] as const;

/** Expects that axe finds nothing on the page as it is now, by the rules of WCAG 2.2 AA and good practice. */
export async function expectAccessible(page: Page): Promise<void> {
  // By the debugger, not by a script element, which the page's policy would refuse.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run({
      resultTypes: ['violations'],
    }),
  );
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, any }) => `${target} ${any[0]?.message ?? ''}`)}`),
  ).toEqual([]);
}

/**
 * Looks at a page as it is now, at the width of a desk and of a phone, in the light and in the dark: keeps a picture of
 * each (`<name>-1280-light.png` …), and expects that it is accessible and never scrolls sideways. With
 * `DOCS_SCREENSHOTS=true`, pictures that `forDocs` names go to docs/console, too.
 */
export async function inspect(page: Page, name: string, forDocs: string[] = []): Promise<void> {
  for (const { colorScheme, withAxe, ...size } of views) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(size);
    const view = `${size.width}-${colorScheme}`;
    const path = join(folder, `${name}-${view}.png`);
    await page.screenshot({ path, animations: 'disabled' });
    if (process.env.DOCS_SCREENSHOTS && forDocs.includes(view))
      cpSync(path, join(root, 'docs/console', `${name}-${view}.png`));
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${view}: width`).toBe(size.width);
    if (withAxe) await expectAccessible(page);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize({ width: 1280, height: 800 });
}
