import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { sample } from '../support/sample.ts';
import { test } from './support/clinic.ts';
import { describeConsole, open } from './support/console.ts';
import { isApi } from './support/faults.ts';
import { settle } from './support/inspect.ts';
import { pages } from './support/pages.ts';

/** As much space as a reader may want in a text (WCAG 2.2, 1.4.12). */
const spacing =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }' +
  'p { margin-bottom: 2em !important }';

/** Has the page obey a style sheet; a style element would be refused by its policy. */
const style = (page: Page, css: string) =>
  page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }, css);

/** The texts that are cut off, other than by an ellipsis, which what they name has in full. */
const cutOff = (page: Page) =>
  page.evaluate(() => {
    const isCut = (element: Element) => {
      const { overflowX, overflowY, textOverflow, position } = getComputedStyle(element);
      const isHidden = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      const isTooWide = isHidden(overflowX) && textOverflow !== 'ellipsis' && scrollWidth > clientWidth + 1;
      const isTooHigh = isHidden(overflowY) && scrollHeight > clientHeight + 2;
      // What only screen readers read is cut on purpose, and a field scrolls.
      const isOnPurpose = position === 'absolute' || element.matches('input, svg, svg *');
      return element.checkVisibility() && !isOnPurpose && (isTooWide || isTooHigh);
    };
    return [...document.querySelectorAll('#root *')]
      .filter(isCut)
      .map(({ className, textContent }) => `${className}: ${textContent?.slice(0, 60)}`);
  });

describeConsole('every page', () => {
  test.for(sample(pages, 4, ({ title }) => title))(
    'has its title, and room in a window of 320 pixels, for wide text, too: $title',
    async ({ title, path }, { page, clinic }) => {
      await page.setViewportSize({ width: 320, height: 640 });
      await open(page, path(clinic));
      // Not that of a page which is on its way.
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      await expect.poll(() => page.title()).toBe(`${title} · Voice assistants`);
      await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
      for (const css of ['', spacing]) {
        await style(page, css);
        await settle(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), css).toBe(320);
        expect(await cutOff(page), css).toEqual([]);
      }
    },
  );
});

/** Widths of a phone, a small desk and a large one. */
const widths = [390, 1280, 1920];

const lists = ['/assistants', '/knowledge', '/calls', '/credentials', '/keys'];

/** Repeats the rows of every list that the page reads, under other ids, until there are 200. */
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

/** Widths of the page's table, of the cells of its head, and of those of its last drawn row. */
const cellWidths = (page: Page) =>
  page.getByRole('table').evaluate((table: HTMLTableElement) => {
    const widthOf = (element: Element) => element.getBoundingClientRect().width;
    const widthsOf = (row: Element | undefined) => [...(row?.children ?? [])].map(widthOf).filter((width) => width > 0);
    const rows = table.querySelectorAll('tbody tr:not([aria-hidden])');
    return { table: widthOf(table), head: widthsOf(table.rows[0]), row: widthsOf([...rows].at(-1)) };
  });

describeConsole('a list of 200 rows', () => {
  test.for(lists)('gives its whole width to its columns: %s', async (path, { page, clinic: _ }) => {
    await repeatRows(page);
    await open(page, path);
    await page.getByRole('table').waitFor();
    // Rows above and below those in sight.
    await page.mouse.wheel(0, 4_000);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(3_000);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      await settle(page);
      const { table, head, row } = await cellWidths(page);
      expect(row, `${width}`).toEqual(head);
      expect(
        head.reduce((sum, one) => sum + one),
        `${width}`,
      ).toBeCloseTo(table, 0);
      expect(Math.max(...head), `${width}`).toBeGreaterThan(table / 4);
    }
  });
});

describeConsole('what one sees', () => {
  test('rests where somebody wants less motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.route('**/assistants?*', () => {});
    await open(page, '/assistants');
    await settle(page, true);
    const moving = () => document.getAnimations().map((one) => one instanceof CSSAnimation && one.animationName);
    expect(await page.evaluate(moving)).toEqual([]);
  });

  test('is styled by the console before its library', async ({ page, clinic: { desk } }) => {
    await open(page, '/assistants');
    const style = (selector: string, property: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
    await expect.poll(() => style(`main a[href$="${desk}"]`, 'font-size')).toBe('14px');
    expect(await style(`main a[href$="${desk}"]`, 'color')).toBe(await style('body', 'color'));
  });

  test('has its lines where the system allows few colours', async ({ page, clinic: { desk } }) => {
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
