import { expect } from 'vitest';
import { createAssistant } from '../support/assistants.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';

describeConsole('a field that is stored in the URL', () => {
  test('keeps the text while the user types on after the list was filtered', async ({ page }) => {
    await open(page, '/calls');
    const find = page.getByRole('searchbox', { name: 'Find' });
    await find.click();
    await page.keyboard.type('support');
    await page.waitForURL(`${consoleUrl}/calls?find=support`);
    await page.keyboard.type('-7f3a');
    await page.waitForURL(`${consoleUrl}/calls?find=support-7f3a`);
    await expect.poll(() => find.inputValue()).toBe('support-7f3a');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect.poll(() => find.inputValue()).toBe('');
  });

  test('accepts a date, key by key', async ({ page }) => {
    await open(page, '/calls');
    const from = page.getByLabel('From');
    await from.focus();
    await page.keyboard.type('1121', { delay: 50 });
    // Each digit of the year makes a valid date, long before the last digit.
    for (const key of '2026') {
      await page.keyboard.type(key);
      await page.waitForTimeout(500);
    }
    await page.waitForURL(`${consoleUrl}/calls?from=2026-11-21`);
    await expect.poll(() => from.inputValue()).toBe('2026-11-21');

    // An incomplete date is not sent, and is cleared on blur.
    await page.keyboard.press('Backspace');
    await page.waitForURL(`${consoleUrl}/calls`);
    await page.keyboard.type('3');
    await from.blur();
    await expect.poll(() => from.inputValue()).toBe('');
    await from.fill('2026-11-20');
    await page.waitForURL(`${consoleUrl}/calls?from=2026-11-20`);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await expect.poll(() => from.inputValue()).toBe('');
  });

  test('follows the URL', async ({ page, user }) => {
    await createAssistant(user, { name: 'Reception' });
    await open(page, '/assistants');
    const search = page.getByRole('searchbox', { name: 'Search by name' });
    await search.fill('zzz');
    await page.getByText('No assistant’s name contains “zzz”').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Assistants', exact: true }).click();
    await page.getByRole('link', { name: 'Reception' }).waitFor();
    await expect.poll(() => search.inputValue()).toBe('');
    await page.goBack();
    await page.getByText('No assistant’s name contains “zzz”').waitFor();
    await expect.poll(() => search.inputValue()).toBe('zzz');
  });
});
