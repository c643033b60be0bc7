import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { uploadAndWait } from '../support/knowledge-bases.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';

/** Presses Tab until the focused element has the name. */
async function tabTo(page: Page, name: string): Promise<void> {
  const named = (['link', 'button', 'textbox', 'combobox'] as const)
    .map((role) => page.getByRole(role, { name, exact: true }))
    .reduce((one, other) => one.or(other))
    .and(page.locator(':focus'));
  for (let stops = 0; (await named.count()) === 0; stops++) {
    expect(stops, `Tab does not lead to ${name}`).toBeLessThan(80);
    await page.keyboard.press('Tab');
  }
}

const getFocusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

describeConsole('without a mouse', () => {
  test('an assistant is created, given a document, and deleted', async ({ page, user }) => {
    await uploadAndWait(user, 'Open from eight to six', 'opening-hours.txt');
    await open(page, '/');
    await tabTo(page, 'Assistants');
    await page.keyboard.press('Enter');
    await page.getByText('No assistants yet').waitFor();
    await expect.poll(() => getFocusedText(page)).toBe('Assistants');
    await tabTo(page, 'New assistant');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${consoleUrl}/assistants/new`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Receptionist');
    await tabTo(page, 'System instruction');
    await page.keyboard.type('You answer the phone of a dental clinic.');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByRole('heading', { name: 'Receptionist', level: 1 }).waitFor();

    await page.getByText('Nothing is attached').waitFor();
    await tabTo(page, 'Attach a document');
    await page.keyboard.type('open');
    await page.getByRole('option', { name: 'opening-hours' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Detach opening-hours' }).waitFor();

    await tabTo(page, 'Assistants');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Receptionist' }).waitFor();
    await tabTo(page, 'Actions for Receptionist');
    await page.keyboard.press('Enter');
    await expect.poll(() => getFocusedText(page)).toBe('Edit');
    await page.keyboard.type('del');
    await expect.poll(() => getFocusedText(page)).toBe('Delete');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] input'));
    await page.keyboard.type('Receptionist');
    await page.keyboard.press('Enter');
    await page.getByText('No assistants yet').waitFor();
    await expect.poll(() => getFocusedText(page)).toBe('Assistants');
  });
});
