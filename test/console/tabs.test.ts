import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { createAssistant } from '../support/assistants.ts';
import { upload } from '../support/knowledge-bases.ts';
import { scaleTimeout } from '../support/timeouts.ts';
import { describeConsole, open, signIn, test } from './support/console.ts';
import { isApi } from './support/faults.ts';
import { inspect } from './support/inspect.ts';
import { signOut } from './support/sign-in.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
describeConsole('two tabs', () => {
  test('on one assistant: after one deletes it, the other can create a new one from its draft', async ({
    page,
    context,
    user,
  }) => {
    const { id } = (await createAssistant(user, { name: 'Shared', voice: { speed: 1.1 } })).body;
    await upload(user, 'We open at nine.', 'hours.txt', { path: `/assistants/${id}/knowledge-base` });
    await open(page, `/assistants/${id}`);
    await field(page, 'Description').fill('Typed for an hour');
    const other = await context.newPage();
    await open(other, `/assistants/${id}`);
    await other.getByRole('button', { name: 'Delete' }).click();
    await other.getByRole('textbox', { name: 'to confirm' }).fill('Shared');
    await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await other.getByText('Assistant deleted').waitFor();
    await other.close();

    await save(page);
    await page.getByRole('alert').getByText('It was deleted while you were here').waitFor();
    await inspect(page, 'assistant-gone');
    await expect.poll(() => field(page, 'Description').inputValue()).toBe('Typed for an hour');
    await page.getByRole('button', { name: 'Create a new assistant from this' }).click();
    await page.getByText('Assistant created').waitFor();
    await page.getByText('It was deleted while you were here').waitFor({ state: 'detached' });
    const { body } = await user.get<Assistant[]>('/assistants?name=Shared');
    expect(body).toMatchObject([
      {
        description: 'Typed for an hour',
        voice: { speed: 1.1 },
        attached_knowledge_bases: [{ file_name: 'hours.txt' }],
      },
    ]);
    await expect.poll(() => page.url()).toContain(body[0]?.id);
  });

  test('on one assistant: a conflict that cannot be read is reported, and retried', async ({ page, user }) => {
    const { id } = (await createAssistant(user, { name: 'Contested' })).body;
    await open(page, `/assistants/${id}`);
    await field(page, 'Name').fill('Mine');
    await user.put(`/assistants/${id}`, { name: 'Theirs' });
    await page.route(isApi, (route) => (route.request().method() === 'GET' ? route.abort() : route.fallback()));
    await save(page);
    await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
    await page.unroute(isApi);
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    const conflict = page.getByRole('dialog', { name: 'It was changed while you were editing' });
    await conflict.getByRole('button', { name: 'Save selection' }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    expect((await user.get(`/assistants/${id}`)).body).toMatchObject({ name: 'Mine' });
  });

  test('of one user: signing out of one ends the other, and keeps its input', async ({ page, user, browser }) => {
    const context = await browser.newContext();
    context.setDefaultTimeout(scaleTimeout(90_000));
    const { id } = (await createAssistant(user, { name: 'Mine' })).body;
    const [first, second] = [await context.newPage(), await context.newPage()];
    await signIn(first, user.sub, '/');
    await open(second, `/assistants/${id}`);
    await field(second, 'Description').fill('Not saved yet');

    const refreshToken = await second.evaluate(
      () => /"refresh_token":"([^"]+)"/.exec(Object.values(sessionStorage).join())?.[1],
    );

    // A user who stays on the page because of unsaved changes is not signed out of any tab.
    const question = second.waitForEvent('dialog');
    void signOut(second);
    await (await question).dismiss();
    expect(await second.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain('access_token');
    expect(await first.getByRole('dialog').count()).toBe(0);
    const revocation = second.waitForRequest('**/revoke');
    await signOut(first);
    await first.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect(Object.fromEntries(new URLSearchParams((await revocation).postData() ?? ''))).toMatchObject({
      ...{ token: refreshToken, token_type_hint: 'refresh_token' },
    });

    const dialog = second.getByRole('dialog', { name: 'You have signed out in another tab' });
    await dialog.waitFor();
    await inspect(second, 'signed-out-elsewhere');
    expect(await second.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('access_token');
    const popup = second.waitForEvent('popup');
    await dialog.getByRole('button', { name: 'Sign in again' }).click();
    const window = await popup;
    await window.getByLabel('User name').fill(user.sub);
    await window.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await save(second);
    await second.getByText('Saved', { exact: true }).first().waitFor();
    expect((await user.get(`/assistants/${id}`)).body).toMatchObject({ description: 'Not saved yet' });
    await context.close();
    await page.goto('about:blank');
  });

  test('of two users stay separate', async ({ browser, user }) => {
    const context = await browser.newContext();
    context.setDefaultTimeout(scaleTimeout(90_000));
    const { id } = (await createAssistant(user, { name: 'Of the first' })).body;
    const [first, second] = [await context.newPage(), await context.newPage()];
    await signIn(first, user.sub, `/assistants/${id}`);
    await field(first, 'Description').fill('By the first');
    await context.clearCookies();
    await signIn(second, `${user.sub}-other`, `/assistants/${id}`);
    await second.getByText('It may have been deleted, or it belongs to somebody else.').waitFor();
    await save(first);
    await first.getByText('Saved', { exact: true }).first().waitFor();
    await signOut(second);
    await second.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await field(first, 'Description').fill('Still the first');
    await save(first);
    await expect
      .poll(async () => (await user.get(`/assistants/${id}`)).body)
      .toMatchObject({ description: 'Still the first' });
    await context.close();
  });
});
