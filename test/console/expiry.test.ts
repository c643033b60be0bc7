import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ApiKey } from '../../shared/schemas/api-key.ts';
import { type KnowledgeBase, maxPostedBytes } from '../../shared/schemas/knowledge-base.ts';
import { createAssistant } from '../support/assistants.ts';
import { upload, waitUntilParsed } from '../support/knowledge-bases.ts';
import { describeConsole, open, test } from './support/console.ts';
import { expireSession, expireToken } from './support/expiry.ts';
import { expectAccessible } from './support/inspect.ts';

const getDialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });

async function expire(page: Page): Promise<void> {
  await expireToken(page);
  await expireSession(page);
}

/** Chooses "Not now", then signs in with the button at the top of the page. */
async function signInLater(page: Page): Promise<void> {
  await getDialog(page).getByRole('button', { name: 'Not now' }).click();
  await getDialog(page).waitFor({ state: 'detached' });
  await page.getByRole('main').getByRole('button', { name: 'Sign in again' }).click();
  await page.getByRole('main').getByText('Your session has ended').waitFor({ state: 'detached' });
}

const signInNow = (page: Page) => getDialog(page).getByRole('button', { name: 'Sign in again' }).click();

describeConsole('an expired session', () => {
  test('resumes uploads of both kinds after signing in, also later', async ({ page, user }) => {
    const files = [
      { name: 'small.txt', mimeType: 'text/plain', buffer: Buffer.from('We open at nine.') },
      { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(maxPostedBytes + 1, 'Hay. ') },
    ];
    const list = async () =>
      (
        await user.get<{ data: { knowledge_bases: KnowledgeBase[] } }>('/assistants/knowledge-base')
      ).body.data.knowledge_bases.map(({ file_name }) => file_name);
    await open(page, '/knowledge');
    await expire(page);
    await page.locator('input[type=file]').setInputFiles(files);
    await getDialog(page).waitFor();
    await signInNow(page);
    for (const name of ['small', 'large']) await page.getByRole('row', { name }).waitFor();
    expect((await list()).toSorted()).toEqual(['large.txt', 'small.txt']);

    await page.unrouteAll();
    await expire(page);
    await page.locator('input[type=file]').setInputFiles([{ ...files[0], name: 'later.txt' } as (typeof files)[0]]);
    await signInLater(page);
    const row = page.getByRole('listitem').filter({ hasText: 'later.txt' });
    await row.getByText('You are not signed in').waitFor();
    await row.getByRole('button', { name: 'Upload later.txt again' }).click();
    await page.getByRole('row', { name: 'later' }).waitFor();
    expect(await list()).toHaveLength(3);
  });

  test('resumes a search after signing in, also after "Not now"', async ({ page, user }) => {
    const { id } = (await createAssistant(user)).body;
    const path = `/assistants/${id}/knowledge-base`;
    const document = await upload(user, 'On Saturdays we open at nine.', 'hours.txt', { path });
    await waitUntilParsed(user, document.body.data.id);
    await open(page, `/knowledge/${document.body.data.id}`);
    await expire(page);
    const question = page.getByRole('textbox', { name: 'What a caller might ask' });
    await question.fill('Saturdays');
    await question.press('Enter');
    await signInNow(page);
    await page.getByRole('article').getByText('On Saturdays we open at nine.').waitFor();

    await page.unrouteAll();
    await expire(page);
    await question.fill('open');
    await question.press('Enter');
    await signInLater(page);
    await page.getByRole('article').getByText('On Saturdays we open at nine.').waitFor();
    await expect.poll(() => question.inputValue()).toBe('open');
  });

  test('keeps a delete dialog open, and deletes after signing in', async ({ page, user }) => {
    const { id } = (await createAssistant(user, { name: 'Doomed' })).body;
    await open(page, `/assistants/${id}`);
    await expire(page);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('textbox', { name: 'to confirm' }).fill('Doomed');
    const deletion = page.getByRole('dialog', { name: 'Delete “Doomed”?' });
    await deletion.getByRole('button', { name: 'Delete' }).click();
    await getDialog(page).waitFor();
    await page.keyboard.press('Escape');
    await deletion.getByRole('alert').getByText('You are not signed in').waitFor();
    await expectAccessible(page);
    await expect.poll(() => page.getByRole('textbox', { name: 'to confirm' }).inputValue()).toBe('Doomed');
    await deletion.getByRole('button', { name: 'Delete' }).click();
    await signInNow(page);
    await page.getByText('Assistant deleted').waitFor();
    expect((await user.get(`/assistants/${id}`)).status).toBe(404);
  });

  test('issues a new key once, and shows it', async ({ page, user }) => {
    await open(page, '/keys');
    await expire(page);
    await page.getByRole('button', { name: 'New API key' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New API key' });
    await dialog.getByLabel('Name').fill('Worker');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await signInNow(page);
    await dialog.getByText(/^va_/).waitFor();
    const keys = (await user.get<{ data: { api_keys: ApiKey[] } }>('/api-keys')).body.data.api_keys;
    expect(keys.map(({ name }) => name)).toEqual(['Worker']);
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: 'Worker' }).waitFor();
  });
});
