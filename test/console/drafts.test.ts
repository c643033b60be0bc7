import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { createAssistant } from '../support/assistants.ts';
import { upload, uploadAndWait } from '../support/knowledge-bases.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
import { inspect } from './support/inspect.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const one = (id: string) => `**/assistants/${id}`;

describeConsole('the draft of an assistant', () => {
  test('is not reverted by a read from before the save', async ({ page, user }) => {
    const { body } = await createAssistant(user, { name: 'Before' });
    await open(page, `/assistants/${body.id}`);
    await field(page, 'Name').fill('After');

    // A read is in flight during the save, and responds after it.
    const [held, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(one(body.id), async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      const response = await route.fetch();
      held.resolve();
      await late.promise;
      await route.fulfill({ response }).catch(() => undefined); // the page has cancelled it
    });
    await page.clock.install();
    await page.clock.fastForward('01:00');
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await held.promise;
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'After' }).waitFor();
    late.resolve();
    await page.unrouteAll({ behavior: 'wait' });

    await expect.poll(() => field(page, 'Name').inputValue()).toBe('After');
    await field(page, 'Name').fill('Later');
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'Later' }).waitFor();
  });

  test('is kept if the other version cannot be read, with the reason', async ({ page, user }) => {
    const { body } = await createAssistant(user, { name: 'Disputed' });
    await open(page, `/assistants/${body.id}`);
    await field(page, 'Description').waitFor();
    await user.put(`/assistants/${body.id}`, { description: 'Theirs' });
    await page.route(one(body.id), (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 403, json: { detail: [] } }) : route.continue(),
    );
    await field(page, 'Description').fill('Mine');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('You don’t have permission').waitFor();
    await expect.poll(() => field(page, 'Description').inputValue()).toBe('Mine');

    await page.unroute(one(body.id));
    await button(page, 'Save').click();
    await page.getByRole('dialog', { name: 'It was changed while you were editing' }).waitFor();
  });

  test('suggests all models before the user types, then those that match', async ({ page }) => {
    await open(page, '/assistants/new');
    const model = page.getByRole('region', { name: 'Voice' }).getByLabel('Model');
    expect(await model.inputValue()).toBe('default');
    await model.click();
    await page.getByRole('option', { name: 'sonic-3' }).waitFor();
    await page.getByRole('option', { name: 'sonic-turbo' }).waitFor();
    await model.fill('turbo');
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['sonic-turbo']);
  });

  test('suggests a correction of a misspelled provider or setting', async ({ page }) => {
    await open(page, '/assistants/new');
    const llm = page.getByRole('region', { name: 'Language model' });
    await llm.getByLabel('Provider').fill('antropic');
    await page.getByText('Did you mean anthropic?').waitFor();
    await inspect(page, 'assistant-typo');
    await llm.getByRole('button', { name: 'anthropic?' }).click();
    expect(await llm.getByLabel('Provider').inputValue()).toBe('anthropic');
    await expect.poll(() => llm.getByLabel('Model').inputValue()).toMatch(/^claude-/);

    await llm.getByRole('button', { name: 'Add a vendor setting' }).click();
    await page.keyboard.type('temprature');
    await llm.getByRole('button', { name: 'temperature?' }).click();
    expect(await llm.getByLabel('Name of setting 1').inputValue()).toBe('temperature');
    await expect.poll(() => page.getByText('Did you mean').count()).toBe(0);
  });

  test('changes the model with the vendor', async ({ page, user }) => {
    const { body } = await createAssistant(user, { name: 'Thinker' });
    await open(page, `/assistants/${body.id}`);
    const llm = page.getByRole('region', { name: 'Language model' });
    await llm.getByLabel('Provider').fill('anthr');
    await page.getByRole('option', { name: 'anthropic' }).click();
    await expect.poll(() => llm.getByLabel('Model').inputValue()).toMatch(/^claude-/);
    // A fully typed vendor counts as chosen. A model typed afterwards is kept.
    const transcriber = page.getByRole('region', { name: 'Transcriber' });
    await transcriber.getByLabel('Provider').fill('openai');
    await transcriber.getByLabel('Model').focus();
    await expect.poll(() => transcriber.getByLabel('Model').inputValue()).toBe('gpt-4o-transcribe');
    await transcriber.getByLabel('Model').fill('nova-3');
    await transcriber.getByLabel('Provider').focus();
    await transcriber.getByLabel('Model').focus();
    await expect.poll(() => transcriber.getByLabel('Model').inputValue()).toBe('nova-3');
    // Saving by keyboard also blurs the field.
    await llm.getByLabel('Provider').fill('openai');
    await page.keyboard.press('Control+S');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await user.get<Assistant>(`/assistants/${body.id}`)).body).toMatchObject({
      llm: { llm_provider: 'openai', model: expect.stringMatching(/^gpt-/) },
      transcriber: { stt_provider: 'openai', stt_model: 'nova-3' },
    });
    expect(await page.getByText('Unsaved changes').count()).toBe(0);
  });

  test('warns about vendors without a key or with several', async ({ page, user }) => {
    await open(page, '/assistants/new');
    const voice = page.getByRole('region', { name: 'Voice' });
    await voice.getByText('No key for cartesia is saved: workers').waitFor();
    await voice.getByLabel('Provider').fill('elevenlabs');
    await voice.getByText('No key for elevenlabs is saved').waitFor();

    const save = (name: string) =>
      user.post('/user-credentials', { service_type: 'elevenlabs', name, api_key: 'sk-0123456789' });
    await save('one');
    await open(page, '/assistants/new');
    await voice.getByLabel('Provider').fill('elevenlabs');
    await voice.getByText('No key for').waitFor({ state: 'detached' });
    await save('two');
    await page.reload();
    await voice.getByLabel('Provider').fill('elevenlabs');
    await voice.getByText('Several keys for elevenlabs are saved').waitFor();
    await expect.poll(() => voice.getByRole('link').getAttribute('href')).toBe('/console/credentials');
  });

  test('links to its calls, and tries a search', async ({ page, user }) => {
    const { body } = await createAssistant(user, { name: 'Known' });
    const { id } = await uploadAndWait(user, 'On Saturdays we open at nine.', 'hours.txt');
    await user.put(`/assistants/${body.id}/knowledge-bases/${id}`, undefined);
    await open(page, `/assistants/${body.id}`);
    await field(page, 'What a caller might ask').fill('When do you open on Saturdays?');
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('we').waitFor();
    await page.getByRole('link', { name: 'Its calls' }).click();
    await page.waitForURL(`${consoleUrl}/calls?assistant=${body.id}`);
  });

  test('keeps the greeting while the caller speaks first', async ({ page }) => {
    await open(page, '/assistants/new');
    await field(page, 'First message').fill('Grüezi!');
    await page.getByText('The caller', { exact: true }).click();
    await expect.poll(() => field(page, 'First message').count()).toBe(0);
    await page.setViewportSize({ width: 900, height: 800 });
    await page.getByText('JSON', { exact: true }).first().click();
    await page.getByText('Form', { exact: true }).click();
    await page.getByText('The assistant', { exact: true }).click();
    await expect.poll(() => field(page, 'First message').inputValue()).toBe('Grüezi!');
  });

  test('keeps an incomplete vendor setting, and is not saved until it has a name', async ({ page, user }) => {
    const { body } = await createAssistant(user, { name: 'Half written' });
    await open(page, `/assistants/${body.id}`);
    const voice = page.getByRole('region', { name: 'Voice' });
    const [name, value] = [voice.getByLabel('Name of setting 1'), voice.getByLabel('Value of setting 1')];
    await voice.getByRole('button', { name: 'Add a vendor setting' }).click();
    await value.fill('0.9');
    await voice.getByText('A setting needs a name').waitFor();
    await page.getByText('Unsaved changes').waitFor();
    await expect.poll(() => button(page, 'Save').isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Keep editing' })
      .click();

    await page.setViewportSize({ width: 900, height: 800 });
    await page.getByText('JSON', { exact: true }).first().click();
    await expect.poll(() => page.getByLabel('The assistant as JSON').getAttribute('readonly')).not.toBeNull();
    await page.getByText('Form', { exact: true }).click();
    await expect.poll(() => value.inputValue()).toBe('0.9');
    await name.fill('language');
    await voice.getByText('This name is taken').waitFor();
    await expect.poll(() => button(page, 'Save').isDisabled()).toBe(true);
    await name.fill('pace');
    await button(page, 'Save').click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await user.get<Assistant>(`/assistants/${body.id}`)).body.voice).toMatchObject({
      pace: 0.9,
      language: 'en',
    });
  });

  test('is locked while the assistant is being created', async ({ page }) => {
    await open(page, '/assistants/new');
    await field(page, 'Name').fill('On its way');
    await field(page, 'System instruction').fill('You are brief.');
    const answered = Promise.withResolvers<void>();
    await page.route('**/assistants', async (route) => {
      await answered.promise;
      await route.continue();
    });
    await button(page, 'Create').click();
    await expect.poll(() => field(page, 'Name').isDisabled()).toBe(true);
    await expect.poll(() => page.getByLabel('The assistant as JSON').getAttribute('readonly')).not.toBeNull();
    answered.resolve();
    await page.getByRole('heading', { name: 'On its way' }).waitFor();
    await expect.poll(() => field(page, 'Name').isDisabled()).toBe(false);
  });

  test('as a copy reports the documents that could not be attached', async ({ page, user }) => {
    const { body } = await createAssistant(user, { name: 'Original' });
    const { body: uploaded } = await upload(user, 'Open from eight to six', 'opening-hours.txt');
    await user.put(`/assistants/${body.id}/knowledge-bases/${uploaded.data.id}`, undefined);
    await open(page, `/assistants/new?from=${body.id}`);
    await page.route('**/knowledge-bases/*', (route) => route.fulfill({ status: 404, json: { detail: [] } }));
    await button(page, 'Create').click();
    const said = page.getByRole('alert').filter({ hasText: 'not all of its documents could be attached' });
    await said.getByText('It may have been deleted').waitFor();
  });

  test('is found by name after visiting another page', async ({ page, user }) => {
    await createAssistant(user, { name: 'The newest' });
    await open(page, '/');
    await page.getByRole('link', { name: 'Assistants', exact: true }).click();
    await page.getByLabel('Search by name').fill('newest');
    await page.getByRole('link', { name: 'The newest' }).waitFor();
    await page.waitForURL(`${consoleUrl}/assistants?name=newest`);
    await page.getByRole('link', { name: 'Start', exact: true }).click();
    await page.getByRole('heading', { name: 'Start' }).waitFor();
  });
});
