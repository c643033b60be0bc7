import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createAssistant } from '../support/assistants.ts';
import { type Clinic, test } from './support/clinic.ts';
import { describeConsole, open } from './support/console.ts';
import { waitUntilSettled } from './support/inspect.ts';

/** Returns the name or the text of the focused element. */
const getFocusedText = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.getAttribute('aria-label') ?? element?.textContent;
  });

/** Waits until nothing loads, above and below the visible part, too: what grows moves the focused element away. */
const waitUntilLoaded = (page: Page) =>
  page.waitForFunction(
    () => !document.querySelector('[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root'),
  );

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

describeConsole('the focus', () => {
  test('returns to the element that opened a dialog, also through a menu', async ({ page, clinic: { desk } }) => {
    await open(page, '/keys');
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => getFocusedText(page)).toBe('New API key');

    await open(page, '/assistants');
    await page.getByRole('button', { name: 'Actions for Night line' }).focus();
    await press(page, 'Enter');
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
    await expect.poll(() => getFocusedText(page)).toBe('Edit');
    await press(page, 'ArrowUp', 'Enter');
    await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] input'));
    await press(page, 'Escape');
    await expect.poll(() => getFocusedText(page)).toBe('Actions for Night line');

    await open(page, `/assistants/${desk}`);
    await page.getByRole('textbox', { name: 'Description' }).fill('Not saved');
    await page.getByRole('link', { name: 'Calls', exact: true }).press('Enter');
    await expect.poll(() => getFocusedText(page)).toBe('Keep editing');
    await press(page, 'Enter');
    await expect.poll(() => getFocusedText(page)).toBe('Calls');
  });

  test('stays near a removed element: at its section, or else at the heading', async ({
    page,
    user,
    clinic: { desk },
  }) => {
    const { body } = await createAssistant(user, { name: 'Temporary' });
    await open(page, '/assistants');
    await page.getByRole('button', { name: 'Actions for Temporary' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill(body.name);
    await press(page, 'Enter');
    await page.getByRole('link', { name: body.name }).waitFor({ state: 'detached' });
    await expect.poll(() => getFocusedText(page)).toBe('Assistants');

    await open(page, `/assistants/${desk}`);
    await page.getByRole('button', { name: 'Detach prices-and-hours' }).press('Enter');
    await page.getByRole('button', { name: 'Detach prices-and-hours' }).waitFor({ state: 'detached' });
    await expect.poll(() => getFocusedText(page)).toMatch(/^Knowledge/);

    await page.getByRole('textbox', { name: 'Description' }).fill('Saved');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    await expect.poll(() => getFocusedText(page)).toBe('Receptionist');

    await open(page, '/calls');
    await page.getByLabel('To').fill('2020-01-01');
    await page.getByRole('button', { name: 'Clear all' }).press('Enter');
    await page.getByRole('button', { name: 'Clear all' }).waitFor({ state: 'detached' });
    await expect.poll(() => getFocusedText(page)).toBe('Which calls');
  });

  const pages: [string, (clinic: Clinic) => string][] = [
    ['editor', ({ desk }) => `/assistants/${desk}`],
    ['transcript', ({ call }) => `/calls/${call}`],
  ];
  const cases = pages.flatMap(([name, path]) =>
    [1280, 390].flatMap((width) => ['Tab', 'Shift+Tab'].map((key) => [name, width, key, path] as const)),
  );
  test.for(cases)('is always visible and uncovered: %s at %i by %s', async ([, width, key, path], { page, clinic }) => {
    await page.setViewportSize({ width, height: 844 });
    await open(page, path(clinic));
    await waitUntilSettled(page);
    await waitUntilLoaded(page);
    let [stops, fault] = [0, ''];
    do {
      await press(page, key);
      await expect
        .poll(async () => {
          fault = await page.evaluate(findFocusFault);
          return fault;
        })
        .toMatch(/^$|^the end$/);
      stops += 1;
    } while (fault === '');
    expect(stops).toBeGreaterThan(15);
  });
});

/** Describes how the focus indicator is hidden, if it is. Runs in the page. */
function findFocusFault(): string {
  const { activeElement: element } = document;
  if (!element || element === document.body) return 'the end';
  const name = `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 40)}`;
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
  const hasRing = [element, ...labels].some((one) => getComputedStyle(one).outlineStyle !== 'none');
  if (!hasRing) return `${name}: no ring`;
  const { left, top, width, height } = element.getBoundingClientRect();
  const isOnTop = (x: number, y: number) => {
    const at = document.elementFromPoint(left + width * x, top + height * y);
    return at !== null && [element, ...labels].some((one) => one.contains(at));
  };
  const isSeen = [0.1, 0.5, 0.9].some((x) => [0.1, 0.5, 0.9].some((y) => isOnTop(x, y)));
  return isSeen ? '' : `${name}: hidden at ${top}`;
}
