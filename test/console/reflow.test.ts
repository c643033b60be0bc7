import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { drawSample } from '../support/sample.ts';
import { test } from './support/clinic.ts';
import { describeConsole, open } from './support/console.ts';
import { isApi } from './support/faults.ts';
import { waitUntilSettled } from './support/inspect.ts';
import { pages } from './support/pages.ts';

/** Text spacing that a page must allow (WCAG 2.2, 1.4.12). */
const spacing =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }' +
  'p { margin-bottom: 2em !important }';

/** Applies a style sheet. The page's policy would block a style element. */
const applyStyles = (page: Page, css: string) =>
  page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }, css);

/** Lists the texts that are cut off. Ignores an ellipsis, since the element's page has the full text. */
const listCutOffTexts = (page: Page) =>
  page.evaluate(() => {
    const isCut = (element: Element) => {
      const { overflowX, overflowY, textOverflow, position } = getComputedStyle(element);
      const isHidden = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      const isTooWide = isHidden(overflowX) && textOverflow !== 'ellipsis' && scrollWidth > clientWidth + 1;
      const isTooHigh = isHidden(overflowY) && scrollHeight > clientHeight + 2;
      // Texts for screen readers are clipped on purpose, and fields scroll.
      const isOnPurpose = position === 'absolute' || element.matches('input, svg, svg *');
      return element.checkVisibility() && !isOnPurpose && (isTooWide || isTooHigh);
    };
    return [...document.querySelectorAll('#root *')]
      .filter(isCut)
      .map(({ className, textContent }) => `${className}: ${textContent?.slice(0, 60)}`);
  });

describeConsole('every page', () => {
  test.for(drawSample(pages, 4, ({ title }) => title))(
    'has its title, and fits 320 pixels, also with wide text spacing: $title',
    async ({ title, path }, { page, clinic }) => {
      await page.setViewportSize({ width: 320, height: 640 });
      await open(page, path(clinic));
      // Not the heading of a page that is still loading.
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      await expect.poll(() => page.title()).toBe(`${title} · Voice assistants`);
      await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
      for (const css of ['', spacing]) {
        await applyStyles(page, css);
        await waitUntilSettled(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), css).toBe(320);
        expect(await listCutOffTexts(page), css).toEqual([]);
      }
    },
  );
});

/** Widths of a phone, a small desktop and a large one. */
const widths = [390, 1280, 1920];

const lists = ['/assistants', '/knowledge', '/calls', '/credentials', '/keys'];

/** Repeats the rows of every list that the page reads, with new ids, until there are 200. */
async function repeatRows(page: Page): Promise<void> {
  const isId = (key: string) => key === 'id' || key === 'session_id';
  const repeat = (_: string, value: unknown) =>
    Array.isArray(value) && value.length > 0 && value.every((row) => Object.keys(row).some(isId))
      ? Array.from({ length: 200 }, (_, index) => rename(value[index % value.length]))
      : value;
  const rename = (row: object) =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, isId(key) ? randomUUID() : value]));
  await page.route(isApi, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: JSON.stringify(JSON.parse(await answer.text()), repeat) });
  });
}

/** Returns the widths of the table, of its header cells, and of the cells of the last rendered row. */
const getCellWidths = (page: Page) =>
  page.getByRole('table').evaluate((table: HTMLTableElement) => {
    const widthOf = (element: Element) => element.getBoundingClientRect().width;
    const widthsOf = (row: Element | undefined) => [...(row?.children ?? [])].map(widthOf).filter((width) => width > 0);
    const rows = table.querySelectorAll('tbody tr:not([aria-hidden])');
    return { table: widthOf(table), head: widthsOf(table.rows[0]), row: widthsOf([...rows].at(-1)) };
  });

describeConsole('a list of 200 rows', () => {
  test.for(lists)('gives its full width to its columns: %s', async (path, { page, clinic: _ }) => {
    await repeatRows(page);
    await open(page, path);
    await page.getByRole('table').waitFor();
    // Scrolls so that there are rows above and below the viewport.
    await page.mouse.wheel(0, 4_000);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(3_000);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      await waitUntilSettled(page);
      const { table, head, row } = await getCellWidths(page);
      expect(row, `${width}`).toEqual(head);
      expect(
        head.reduce((sum, one) => sum + one),
        `${width}`,
      ).toBeCloseTo(table, 0);
      expect(Math.max(...head), `${width}`).toBeGreaterThan(table / 4);
    }
  });
});

describeConsole('the design', () => {
  test('has no animations with reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.route('**/assistants?*', () => {});
    await open(page, '/assistants');
    await waitUntilSettled(page, true);
    const moving = () => document.getAnimations().map((one) => one instanceof CSSAnimation && one.animationName);
    expect(await page.evaluate(moving)).toEqual([]);
  });

  test("overrides the library's styles", async ({ page, clinic: { desk } }) => {
    await open(page, '/assistants');
    const style = (selector: string, property: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
    await expect.poll(() => style(`main a[href$="${desk}"]`, 'font-size')).toBe('14px');
    expect(await style(`main a[href$="${desk}"]`, 'color')).toBe(await style('body', 'color'));
  });

  test('keeps its outlines with forced colours', async ({ page, clinic: { desk } }) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await open(page, `/assistants/${desk}`);
    const line = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).outlineStyle);
    await expect.poll(() => line('nav [aria-current]')).toBe('solid');
    await expect.poll(() => line('nav a:not([aria-current])')).toBe('none');
    await expect.poll(() => line('.mantine-SegmentedControl-label[data-active]')).toBe('solid');
    await page.getByRole('combobox', { name: 'Provider' }).first().click();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => line('[role=option][data-combobox-selected]')).toBe('solid');
    await expect.poll(() => line('input:focus')).toBe('solid');
  });
});
