import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ApiKey } from '../../shared/schemas/api-key.ts';
import { createClient } from '../support/api.ts';
import { describeConsole, open, test } from './support/console.ts';
import { holdRequests } from './support/faults.ts';
import { expectAccessible, inspect } from './support/inspect.ts';
import { findTraces } from './support/traces.ts';

const name = 'Worker <b>in Frankfurt</b>';

/** Returns the key in the dialog, which stays open until the user confirms that they saved it. */
async function takeKey(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  const secret = (await dialog.getByText(/^va_/).textContent()) ?? '';
  const done = dialog.getByRole('button', { name: 'Done' });
  await expect.poll(() => done.isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await page.evaluate(() => history.back());
  await expect.poll(() => dialog.getByText(secret).isVisible()).toBe(true);
  await dialog.getByRole('button', { name: 'Copy the key' }).click();
  await dialog.getByRole('checkbox').check();
  await done.click();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}

async function chooseAction(page: Page, ending: string, action: string): Promise<void> {
  await page.getByRole('row', { name: ending }).getByRole('button').click();
  await page.getByRole('menuitem', { name: action }).click();
}

describeConsole('API keys', () => {
  test('are created, shown once, used, rotated and revoked', async ({ page, user, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const list = async () => (await user.get<{ data: { api_keys: ApiKey[] } }>('/api-keys')).body.data.api_keys;
    const getStatus = async (secret: string, path: string) => (await createClient(user.sub, secret).get(path)).status;
    const dialog = page.getByRole('dialog');

    await open(page, '/');
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByText('No API keys yet').waitFor();
    await page.getByRole('button', { name: 'New API key' }).first().click();
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Read', { exact: true }).check();
    await dialog.getByLabel('Take calls').uncheck();
    await dialog.getByLabel('Uploads').fill('1200');
    await inspect(page, 'key-new');
    // A click outside the dialog loses nothing.
    await page.mouse.click(5, 5);
    // The dialog stays open from the first click on: the key is in flight, and is shown only once.
    const gate = await holdRequests(page, (request) => request.method() === 'POST');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect.poll(() => dialog.getByRole('button', { name: 'Close' }).count()).toBe(0);
    gate.open();
    await dialog.getByText(/^va_/).waitFor();
    await expectAccessible(page);
    const first = await takeKey(page);
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(first);
    const quota = { uploads: 1_200 };
    expect(await list()).toMatchObject([{ name, scopes: ['read', 'logs'], expires_at: null, quota }]);
    expect(await getStatus(first, '/assistants')).toBe(200);

    const row = page.getByRole('row', { name });
    await row.getByText(`****${first.slice(-4)}`).waitFor();
    await row.getByText('Uploads: 1,200 a day').waitFor();
    await expect.poll(() => findTraces(page, first)).toEqual([]);
    await page.reload();
    await row.getByText(/^(within the last hour|1 hour ago)$/).waitFor();
    expect(await findTraces(page, first)).toEqual([]);

    await chooseAction(page, first.slice(-4), 'Rotate');
    await dialog.getByLabel('Keep the old key valid for').click();
    await page.getByRole('option', { name: 'An hour' }).click();
    await dialog.getByRole('button', { name: 'Rotate the key' }).click();
    const second = await takeKey(page);
    await expect.poll(() => findTraces(page, second)).toEqual([]);
    await page.getByText('Being replaced').waitFor();
    await inspect(page, 'keys');
    expect(await getStatus(second, '/assistants')).toBe(200);
    expect(await getStatus(first, '/assistants')).toBe(200);

    await chooseAction(page, second.slice(-4), 'Revoke');
    await dialog.getByRole('textbox').fill(name);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: second.slice(-4) }).waitFor({ state: 'detached' });
    expect((await list()).map(({ masked_key }) => masked_key)).toEqual([`****${first.slice(-4)}`]);
    // Asks a function that has not verified the key before: others may cache it for a minute.
    expect(await getStatus(second, '/user-credentials')).toBe(401);
  });

  test('report each fault at its field', async ({ page }) => {
    await open(page, '/keys');
    await page.getByRole('button', { name: 'New API key' }).first().click();
    const dialog = page.getByRole('dialog');
    for (const scope of ['Take calls', 'Save calls']) await dialog.getByLabel(scope).uncheck();
    await dialog.getByLabel('Expires').click();
    await page.getByRole('option', { name: 'Custom date' }).click();
    await dialog.getByLabel('Last day').fill('2020-01-01');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    for (const fault of ['Required', 'Choose at least one', 'Choose today or a later day'])
      await dialog.getByText(fault).waitFor();

    await dialog.getByLabel('Name').fill('x'.repeat(129));
    await dialog.getByLabel('Read', { exact: true }).check();
    await dialog.getByLabel('Last day').fill('2099-12-31');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Input should have at most 128 characters').waitFor();
    await expectAccessible(page);
  });
});
