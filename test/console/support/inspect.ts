import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { sample } from '../../support/sample.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'test/console/screenshots');
mkdirSync(folder, { recursive: true });

/** Rules of axe that depend on the colours. */
const only = ['color-contrast', 'link-in-text-block'];

/** Widths of a desk and of a phone. At each, axe looks at everything once, and then at what is different in the other colours. */
const widths = [
  [
    { width: 1280, height: 800, colorScheme: 'light' },
    { width: 1280, height: 800, colorScheme: 'dark', only },
  ],
  [
    { width: 390, height: 844, colorScheme: 'dark' },
    { width: 390, height: 844, colorScheme: 'light', only },
  ],
] as const;

/** Rules that axe leaves out unless one asks for them: that of WCAG 2.2, and those that are good for us. */
const moreRules = [
  'target-size',
  'label-content-name-mismatch',
  'css-orientation-lock',
  'focus-order-semantics',
  'p-as-heading',
  'table-fake-caption',
  'td-has-header',
];

interface Look {
  /** What a failure is headed by. */
  view?: string;
  /** Axe's rules; without them, those of WCAG 2.2 AA and good practice. */
  only?: readonly string[] | undefined;
}

/** Expects that axe finds nothing on the page as it is now. */
export async function expectAccessible(page: Page, { view = '', only }: Look = {}): Promise<void> {
  // By the debugger, not by a script element, which the page's policy would refuse.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (options) =>
      (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run({
        ...options,
        resultTypes: ['violations'],
      }),
    only ? { runOnly: [...only] } : { rules: Object.fromEntries(moreRules.map((rule) => [rule, { enabled: true }])) },
  );
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, any }) => `${target} ${any[0]?.message ?? ''}`)}`),
    view,
  ).toEqual([]);
}

/** Waits until fonts and pictures are there, and nothing in sight is on its way or moves; or is, where it is to be loading. */
export const settle = (page: Page, isLoading = false) =>
  page.waitForFunction((isLoading) => {
    const isInSight = (element: Element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > 0 && top < innerHeight && element.checkVisibility({ visibilityProperty: true });
    };
    const onTheWay = [...document.querySelectorAll('[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root')];
    // Those that never end are those of what is on its way.
    const moves = document.getAnimations().some(({ effect, playState }) => {
      return playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
    });
    return (
      onTheWay.some(isInSight) === isLoading &&
      !moves &&
      document.fonts.status === 'loaded' &&
      [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0)
    );
  }, isLoading);

interface Options {
  /** Pictures that go to docs/console, too, with `DOCS_SCREENSHOTS=true`: `1280-light` … */
  forDocs?: string[];
  /** It is inspected while it loads. */
  isLoading?: boolean;
}

/**
 * Expects that a page which has come to rest is accessible, and never scrolls sideways, at the widths of a desk and of a phone, in
 * the light and in the dark. Keeps a picture of each (`<name>-1280-light.png` …).
 */
export async function inspect(page: Page, name: string, { forDocs = [], isLoading }: Options = {}): Promise<void> {
  for (const { colorScheme, width, height, ...look } of sample(widths, 1, ([first]) => [name, first.width]).flat()) {
    const size = { width, height };
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(size);
    await settle(page, isLoading);
    const view = `${width}-${colorScheme}`;
    const path = join(folder, `${name}-${view}.png`);
    await page.screenshot({ path, animations: 'disabled' });
    if (process.env.DOCS_SCREENSHOTS && forDocs.includes(view))
      cpSync(path, join(root, 'docs/console', `${name}-${view}.png`));
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${view}: width`).toBe(width);
    await expectAccessible(page, { view, ...look });
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize({ width: 1280, height: 800 });
}
