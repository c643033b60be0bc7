import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { createAssistant } from '../support/assistants.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
import { expectAccessible, inspect, waitUntilSettled } from './support/inspect.ts';
import { receptionist } from './support/receptionist.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const waitUntilSaved = (page: Page) => page.getByText('Saved', { exact: true }).first().waitFor();
const json = (page: Page) => page.getByLabel('The assistant as JSON');

describeConsole('editing an assistant', () => {
  test("shows the API's faults at their fields", async ({ page, user }) => {
    const { body } = await createAssistant(user, receptionist);
    await open(page, `/assistants/${body.id}`);
    const language = page.getByLabel('Language', { exact: true }).first();
    await field(page, 'Name').fill('Desk');
    await language.fill('not a code');
    await save(page);
    await page.getByText('Voice › Language: Not a language code').waitFor();
    await expect.poll(() => language.evaluate((input) => input === document.activeElement)).toBe(true);
    const said = await language.getAttribute('aria-describedby');
    await expect.poll(() => page.locator(`[id="${said}"]`).textContent()).toBe('Not a language code');
    await inspect(page, 'assistant-refused');

    await language.fill('en');
    await expect.poll(() => page.getByText('Not a language code', { exact: true }).count()).toBe(0);

    // Also shows it at the row of a vendor's setting.
    const speed = page.getByRole('region', { name: 'Voice' }).getByLabel('Value of setting 1');
    await speed.fill('{"at": {"most": "\\u0000"}}');
    await save(page);
    await expect.poll(() => speed.getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => speed.evaluate((input) => input === document.activeElement)).toBe(true);
    await speed.fill('1.2');
    await expect.poll(() => speed.getAttribute('aria-invalid')).toBeNull();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    const question = page.getByRole('dialog', { name: 'Discard all changes?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Desk');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await question.getByRole('button', { name: 'Discard', exact: true }).click();
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Receptionist');
    await page.getByText('Some fields need attention').waitFor({ state: 'detached' });
  });

  test('shows both versions after a conflict, and saves the chosen values', async ({ page, context, user }) => {
    const { body } = await createAssistant(user, receptionist);
    const other = await context.newPage();
    await open(page, `/assistants/${body.id}`);
    await open(other, `/assistants/${body.id}`);

    await field(other, 'Name').fill('Their name');
    await other.getByRole('textbox', { name: 'Voice id' }).fill('their-voice');
    await field(other, 'Description').fill('Their description');
    await save(other);
    await waitUntilSaved(other);
    await other.close();

    await field(page, 'Name').fill('My name');
    await field(page, 'Description').fill('My description');
    await page.getByLabel('Language', { exact: true }).first().fill('de-CH');
    await save(page);
    const dialog = page.getByRole('dialog', { name: 'It was changed while you were editing' });
    await dialog.waitFor();
    await inspect(page, 'assistant-conflict');

    // Closing the dialog loses nothing.
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('My name');
    await save(page);

    const description = dialog.getByRole('radiogroup', { name: /^Description/ });
    await description.getByRole('radio', { name: 'Theirs' }).check();
    // The shortcut for saving does not confirm the dialog.
    let writes = 0;
    page.on('request', (request) => {
      if (request.method() === 'PUT') writes += 1;
    });
    await page.keyboard.press('ControlOrMeta+s');
    await dialog.getByRole('button', { name: 'Save selection' }).click();
    await waitUntilSaved(page);
    expect(writes).toBe(1);
    expect((await user.get<Assistant>(`/assistants/${body.id}`)).body).toMatchObject({
      name: 'My name',
      description: 'Their description',
      voice: { voice_id: 'their-voice', language: 'de-CH', speed: 1.05 },
    });
    await expect.poll(() => page.title()).toBe('My name · Voice assistants');
  });

  test('asks before discarding changes', async ({ page, user }) => {
    const { body } = await createAssistant(user, receptionist);
    await open(page, '/assistants');
    await page.getByRole('link', { name: 'Receptionist' }).first().click();
    await field(page, 'Name').fill('Desk');
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.waitFor();
    await waitUntilSettled(page);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect.poll(() => page.url()).toBe(`${consoleUrl}/assistants/${body.id}`);
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Desk');

    let asked = false;
    page.once('dialog', (question) => {
      asked = question.type() === 'beforeunload';
      return question.dismiss();
    });
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toBe(true);

    await page.goBack();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`${consoleUrl}/assistants`);
  });

  test('keeps a mistake in the JSON as typed, and disables the form', async ({ page, user }) => {
    const { body } = await createAssistant(user, receptionist);
    await open(page, `/assistants/${body.id}`);
    const good = await json(page).inputValue();
    await json(page).fill(good.replace('"name"', 'name'));
    await page.getByText('The JSON has a mistake').waitFor();
    await expect.poll(() => field(page, 'Name').isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await expect.poll(() => json(page).getAttribute('aria-invalid')).toBe('true');
    const described = (await json(page).getAttribute('aria-describedby')) ?? '';
    await page
      .locator(`[id="${described.split(' ')[0]}"]`)
      .getByText('Line 2, column 3: a name in double quotes is missing')
      .waitFor();
    await page.getByRole('button', { name: 'Go to the mistake' }).click();
    const caret = () => json(page).evaluate((input: HTMLTextAreaElement) => input.selectionStart);
    await expect.poll(caret).toBe(good.indexOf('"name"'));
    expect(await json(page).evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    await inspect(page, 'assistant-mistake');
    await expect.poll(() => json(page).inputValue()).toContain('  name: "Receptionist"');

    await json(page).fill(good.replace('Receptionist', 'Written by hand'));
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Written by hand');

    await page.getByRole('textbox', { name: 'SIP settings' }).fill('{"trunk": ');
    await page.getByText('The SIP settings have a mistake').waitFor();
    await expect.poll(() => json(page).getAttribute('readonly')).not.toBeNull();
    await page.getByRole('textbox', { name: 'SIP settings' }).fill('{"trunk": "x"}');
    expect(JSON.parse(await json(page).inputValue()).transport).toEqual({ sip_config: { trunk: 'x' } });
  });

  test('gives the form or the JSON the full width', async ({ page, user }) => {
    const { body } = await createAssistant(user, receptionist);
    await open(page, `/assistants/${body.id}`);
    const prompt = field(page, 'System instruction');
    const getWidth = async (input: typeof prompt) => (await input.boundingBox())?.width ?? 0;
    const beside = await getWidth(prompt);
    const panes = page.getByRole('radiogroup', { name: 'View' });
    const choose = (pane: string) => panes.getByText(pane, { exact: true }).click();
    await choose('Form');
    await expect.poll(() => json(page).count()).toBe(0);
    expect(await getWidth(prompt)).toBeGreaterThan(beside * 1.5);
    await inspect(page, 'assistant-wide');
    await choose('JSON');
    await expect.poll(() => prompt.count()).toBe(0);
    expect(await getWidth(json(page))).toBeGreaterThan(beside * 1.5);
  });

  test("accepts any name of a vendor's setting", async ({ page, user }) => {
    const voice = { valueOf: 1, toString: 'x', hasOwnProperty: [] };
    const { body } = await createAssistant(user, { ...receptionist, voice });
    await open(page, `/assistants/${body.id}`);
    await page.getByLabel('Value of setting 2').first().fill('y');
    await page.getByRole('textbox', { name: 'Voice id' }).fill('z');
    await save(page);
    await waitUntilSaved(page);
    expect((await user.get<Assistant>(`/assistants/${body.id}`)).body.voice).toMatchObject({
      valueOf: 1,
      toString: 'y',
      voice_id: 'z',
    });
  });

  test('fails offline, keeps the changes, and saves them afterwards', async ({ page, context, user }) => {
    const { body } = await createAssistant(user, receptionist);
    await open(page, `/assistants/${body.id}`);
    await context.setOffline(true);
    await field(page, 'Name').fill('Typed offline');
    await save(page);
    await page.getByText('The service cannot be reached').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await waitUntilSaved(page);
    expect((await user.get(`/assistants/${body.id}`)).body).toMatchObject({ name: 'Typed offline' });
  });
});
