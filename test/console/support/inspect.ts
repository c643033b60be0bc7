import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { drawSample } from '../../support/sample.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'test/console/screenshots');
mkdirSync(folder, { recursive: true });

/** Axe rules that depend on the colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Widths of a desktop and a phone. At each, axe runs all rules in one colour scheme. A desktop shows every element, so there it also
 * runs the rules that depend on colours in the other.
 */
const widths = [
  [
    { width: 1280, height: 800, colorScheme: 'light' },
    { width: 1280, height: 800, colorScheme: 'dark', only: colourRules },
  ],
  [{ width: 390, height: 844, colorScheme: 'dark' }],
] as const;

/** Rules that axe leaves out by default: one of WCAG 2.2, and some best practices. */
const extraRules = [
  'target-size',
  'label-content-name-mismatch',
  'css-orientation-lock',
  'focus-order-semantics',
  'p-as-heading',
  'table-fake-caption',
  'td-has-header',
];

interface AxeOptions {
  /** Heading of a failure. */
  view?: string;
  /** Rules to run; by default those of WCAG 2.2 AA and best practices. */
  only?: readonly string[] | undefined;
}

/** Expects axe to find no violations on the page in its current state. */
export async function expectAccessible(page: Page, { view = '', only }: AxeOptions = {}): Promise<void> {
  // Injected with the debugger: the page's policy would block a script element.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (options) =>
      (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run({
        ...options,
        resultTypes: ['violations'],
      }),
    only ? { runOnly: [...only] } : { rules: Object.fromEntries(extraRules.map((rule) => [rule, { enabled: true }])) },
  );
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, any }) => `${target} ${any[0]?.message ?? ''}`)}`),
    view,
  ).toEqual([]);
}

/**
 * Waits until fonts and images have loaded, animations have ended, and nothing in the viewport is loading, or something
 * is with `isLoading`.
 */
export const waitUntilSettled = (page: Page, isLoading = false) =>
  page.waitForFunction((isLoading) => {
    const isInSight = (element: Element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > 0 && top < innerHeight && element.checkVisibility({ visibilityProperty: true });
    };
    const loading = [...document.querySelectorAll('[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root')];
    // Endless animations belong to loading indicators.
    const isMoving = document.getAnimations().some(({ effect, playState }) => {
      return playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
    });
    return (
      loading.some(isInSight) === isLoading &&
      !isMoving &&
      document.fonts.status === 'loaded' &&
      [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0)
    );
  }, isLoading);

interface Options {
  /** True to also copy the screenshot of 1280 px, light, to docs/console with `DOCS_SCREENSHOTS=true`. */
  isForDocs?: boolean;
  /** True to inspect the page while it is loading. */
  isLoading?: boolean;
}

/**
 * Expects a settled page to be accessible, and not to scroll sideways, at desktop width in both colour schemes and at phone width.
 * Saves a screenshot of each (`<name>-1280-light.png` …).
 */
export async function inspect(page: Page, name: string, { isForDocs, isLoading }: Options = {}): Promise<void> {
  for (const { colorScheme, width, height, ...look } of drawSample(widths, 1, ([first]) => [
    name,
    first.width,
  ]).flat()) {
    const size = { width, height };
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(size);
    await waitUntilSettled(page, isLoading);
    const view = `${width}-${colorScheme}`;
    const path = join(folder, `${name}-${view}.png`);
    await page.screenshot({ path, animations: 'disabled' });
    if (process.env.DOCS_SCREENSHOTS && isForDocs && view === '1280-light')
      cpSync(path, join(root, 'docs/console', `${name}-${view}.png`));
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${view}: width`).toBe(width);
    await expectAccessible(page, { view, ...look });
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize({ width: 1280, height: 800 });
}
