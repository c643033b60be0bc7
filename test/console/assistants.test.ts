import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { createAssistant, minimal } from '../support/assistants.ts';
import { upload } from '../support/knowledge-bases.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
import { inspect } from './support/inspect.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const getId = (page: Page) => page.url().split('/').at(-1) ?? '';

describeConsole('the list of assistants', () => {
  test('invites the user to create the first', async ({ page }) => {
    await open(page, '/assistants');
    await page.getByText('No assistants yet').waitFor();
    await inspect(page, 'assistants-none');
  });

  test('shows that it is loading', async ({ page }) => {
    await page.route('**/assistants?*', () => {});
    await open(page, '/assistants');
    await inspect(page, 'assistants-loading', { isLoading: true });
  });

  test('shows names literally, finds them by a part, and scrolls to the end', async ({ page, user }) => {
    const markup = '<img src=x onerror="document.title = 1"> & <b>bold</b>';
    await createAssistant(user, { name: markup, description: markup });
    for (let i = 0; i < 60; i++) await createAssistant(user, { name: `Number ${i}` });
    await open(page, '/assistants');
    const row = (name: string) => page.getByRole('link', { name, exact: true });
    await row('Number 59').waitFor();

    // Beyond the first page, and beyond what is rendered.
    while (!(await row(markup).isVisible())) await page.mouse.wheel(0, 2000);
    await row('Number 59').waitFor({ state: 'detached' });
    await expect.poll(() => page.title()).toBe('Assistants · Voice assistants');

    await page.getByRole('searchbox', { name: 'Search by name' }).fill('number 3');
    await row('Number 30').waitFor();
    await row(markup).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('row').count()).toBe(12);
    await expect.poll(() => page.url()).toBe(`${consoleUrl}/assistants?name=number+3`);
    await page.reload();
    await row('Number 3').waitFor();

    await page.getByRole('searchbox', { name: 'Search by name' }).fill('nobody');
    await page.getByText('No assistant’s name contains “nobody”').waitFor();
  });
});

describeConsole('an assistant', () => {
  test('is created, edited, saved, and found again by its URL', async ({ page, user }) => {
    await open(page, '/assistants');
    await page.getByRole('link', { name: 'New assistant' }).click();
    const isNameFocused = () => field(page, 'Name').evaluate((input) => input === document.activeElement);
    await expect.poll(isNameFocused).toBe(true);
    await page.getByRole('button', { name: 'Create' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Some fields need attention' });
    await alert.getByText('System instruction: Required').waitFor();
    await alert.getByText('Name: Required').waitFor();
    expect(await alert.getByText('Request id').count()).toBe(0); // no request was sent
    await expect.poll(isNameFocused).toBe(true);
    for (const name of ['Name', 'System instruction'])
      expect(await field(page, name).getAttribute('required')).not.toBeNull();
    await field(page, 'Name').fill('Receptionist');
    await field(page, 'System instruction').fill(minimal.system_instruction);
    await page.getByText(`${minimal.system_instruction.length} of 100,000 characters`).waitFor();
    await inspect(page, 'assistant-new');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Receptionist' }).waitFor();
    const id = getId(page);

    // Use the form for a vendor, its model and its own setting, and the JSON for the rest.
    const voice = page.locator('section', { has: page.getByRole('heading', { name: 'Voice' }) });
    await voice.getByLabel('Provider').fill('eleven');
    await page.getByRole('option', { name: 'elevenlabs' }).click();
    await expect.poll(() => voice.getByLabel('Model').inputValue()).toBe('default');
    await voice.getByRole('button', { name: 'Add a vendor setting' }).click();
    await page.keyboard.type('speed');
    await page.keyboard.press('Tab');
    await page.keyboard.type('1.05');
    const json = page.getByLabel('The assistant as JSON');
    const draft = JSON.parse(await json.inputValue());
    expect(draft.voice).toMatchObject({ tts_provider: 'elevenlabs', speed: 1.05 });
    await json.fill(JSON.stringify({ ...draft, llm: { ...draft.llm, temperature: 0.4 } }));
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Saved', { exact: true }).waitFor();

    await page.reload();
    await page.getByRole('heading', { name: 'Receptionist' }).waitFor();
    const { body } = await user.get<Assistant>(`/assistants/${id}`);
    expect(body).toMatchObject({ voice: { tts_provider: 'elevenlabs', speed: 1.05 }, llm: { temperature: 0.4 } });
    await expect.poll(() => voice.getByLabel('Value of setting 1').inputValue()).toBe('1.05');
  });

  test('is copied with its knowledge, and deleted after its name was typed', async ({ page, user }) => {
    const voice = { tts_provider: 'elevenlabs', speed: 1.05 };
    const { body } = await createAssistant(user, { name: 'Original', voice });
    const { body: uploaded } = await upload(user, 'Open from eight to six', 'opening-hours.txt');
    const document = uploaded.data;
    await user.put(`/assistants/${body.id}/knowledge-bases/${document.id}`, undefined);
    await open(page, `/assistants/${body.id}`);
    await page.getByText(document.file_name).waitFor();
    // The copy has the latest state, not the state that the page shows.
    await user.put(`/assistants/${body.id}`, { system_instruction: 'Written elsewhere' });
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: 'Copy of Original' }).waitFor();
    await page.getByText('The document of the original is attached').waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL((url) => /\/assistants\/0[^/]+$/.test(url.pathname) && !url.pathname.endsWith(body.id));
    await page.getByText(document.file_name).waitFor();
    const copy = await user.get<Assistant>(`/assistants/${getId(page)}`);
    expect(copy.body).toMatchObject({
      name: 'Copy of Original',
      system_instruction: 'Written elsewhere',
      voice,
      attached_knowledge_bases: [{ id: document.id }],
    });

    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete' }).waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Copy of Original');
    await inspect(page, 'assistant-delete');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${consoleUrl}/assistants`);
    await page.getByRole('link', { name: 'Original', exact: true }).waitFor();
    expect((await user.get(`/assistants/${copy.body.id}`)).status).toBe(404);
  });

  test('shows whether it does not exist or cannot be reached', async ({ page, user }) => {
    await open(page, '/assistants/01a1ffa4-c38e-7596-85dc-e78047beb4cf');
    await page.getByText('Not found').waitFor();
    await page.getByText('Request id').waitFor();
    await inspect(page, 'assistant-not-found');

    // A fake clock skips the waits between retries.
    const { body } = await createAssistant(user);
    await page.clock.install();
    await page.route(`${user.baseUrl}/assistants/${body.id}`, (route) => route.abort());
    await open(page, `/assistants/${body.id}`);
    const failure = page.getByRole('alert').getByText('The service cannot be reached');
    while (!(await failure.isVisible())) await page.clock.fastForward(1000);
    await page.unroute(`${user.baseUrl}/assistants/${body.id}`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: body.name }).waitFor();
  });
});
