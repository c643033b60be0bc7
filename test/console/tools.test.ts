import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { createAssistant } from '../support/assistants.ts';
import { answer, startReceiver } from '../support/receiver.ts';
import { describeConsole, open, test } from './support/console.ts';
import { inspect } from './support/inspect.ts';
import { receptionist } from './support/receptionist.ts';

const receiver = await startReceiver(answer(404, '{"known":false}'));
afterAll(() => receiver.stop());

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
};

describeConsole('tools of an assistant', () => {
  test('are added in a form, saved, tried and removed', async ({ page, user }) => {
    await user.post('/user-credentials', { service_type: 'orders', api_key: 'sk-orders' });
    const { body } = await createAssistant(user, receptionist);
    await user.post(`/assistants/${body.id}/versions`, {}); // the live version has no tools
    await open(page, `/assistants/${body.id}`);
    const tools = section(page, 'Tools');
    await tools.getByRole('button', { name: 'Add a tool' }).click();
    await page.getByRole('menuitem', { name: 'HTTP request' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a tool' });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.getByText('Use 1 to 64 letters, digits, - and _').waitFor();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('find_order');
    await dialog.getByRole('textbox', { name: 'When to use it' }).fill('Looks an order up');
    await dialog.getByRole('textbox', { name: 'URL' }).fill(`${new URL(receiver.url).origin}/orders/{order_id}`);
    await dialog.getByLabel('Credential').first().click();
    await page.getByRole('option', { name: 'orders · default' }).click();
    const json = dialog.getByRole('textbox', { name: 'The tool as JSON' });
    const whole = await json.inputValue();
    await json.fill('{"type": "http", "name": 5}');
    await dialog.getByText('name should be text').waitFor();
    await json.fill(whole);
    await dialog.getByRole('button', { name: 'Add an argument' }).click();
    await dialog.getByRole('textbox', { name: 'Name of argument 1' }).fill('order_id');
    await dialog.getByRole('checkbox', { name: 'Required of argument 1' }).check();
    await dialog.getByText('Save the assistant to try this tool.').waitFor();
    await inspect(page, 'tool-dialog');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await tools.getByText('find_order', { exact: true }).waitFor();
    // The draft has it, but the API would call the tool that is saved.
    const actions = tools.getByRole('button', { name: 'Actions for the tool find_order' });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByText('Save the assistant to try this tool.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await save(page);
    const saved = (await user.get<Assistant>(`/assistants/${body.id}`)).body.tools[0];
    expect(saved).toMatchObject({
      name: 'find_order',
      parameters: { properties: { order_id: { type: 'string' } }, required: ['order_id'] },
      http: { credential: { service_type: 'orders', name: 'default' } },
    });

    await actions.click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit the tool' });
    await edit.getByLabel('Arguments as JSON').fill('{"order_id": "7"}');
    await edit.getByRole('button', { name: 'Send' }).click();
    await edit.getByRole('region', { name: 'Answer' }).getByText('"known": false').waitFor();
    expect(receiver.requests.at(-1)).toMatchObject({
      path: '/orders/7',
      headers: { authorization: 'Bearer sk-orders' },
    });
    await edit.getByLabel('Arguments as JSON').fill('{}');
    await edit.getByRole('button', { name: 'Send' }).click();
    await edit
      .getByText(/does not have required property|required/)
      .first()
      .waitFor();
    await edit.getByRole('button', { name: 'Cancel' }).click();

    await actions.click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await tools.getByText('No tools yet').waitFor();
    await save(page);
    const readTools = async () => (await user.get<Assistant>(`/assistants/${body.id}`)).body.tools;
    await expect.poll(readTools).toEqual([]);
  });

  test('keep each argument while its name is another’s for a moment', async ({ page, user }) => {
    const parameters = { type: 'object', properties: { a: { type: 'string' }, abc: { type: 'integer' } } };
    const tools = [{ type: 'client', name: 'open_door', description: 'Opens', parameters }];
    const { body } = await createAssistant(user, { ...receptionist, tools });
    await open(page, `/assistants/${body.id}`);
    await section(page, 'Tools').getByRole('button', { name: 'Actions for the tool open_door' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the tool' });
    await dialog.getByRole('button', { name: 'Add an argument' }).click();
    const name = (row: number) => dialog.getByRole('textbox', { name: `Name of argument ${row}` });
    const listNames = () => Promise.all([1, 2, 3].map((row) => name(row).inputValue()));

    await name(3).fill('');
    await dialog.getByText('Enter a name', { exact: true }).waitFor();
    await name(3).pressSequentially('abc');
    await dialog.getByText('This name is taken', { exact: true }).waitFor();
    expect(await listNames()).toEqual(['a', 'abc', 'abc']);
    await name(3).press('Enter');
    await dialog.getByText('This name is taken', { exact: true }).waitFor();
    await inspect(page, 'tool-name-taken');
    await name(1).focus();
    expect(await listNames()).toEqual(['a', 'abc', 'argument_3']);

    await name(3).fill('');
    await name(3).pressSequentially('abcd');
    expect(await listNames()).toEqual(['a', 'abc', 'abcd']);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await save(page);
    expect((await user.get<Assistant>(`/assistants/${body.id}`)).body.tools[0]).toMatchObject({
      parameters: { properties: { ...parameters.properties, abcd: { type: 'string' } } },
    });
  });

  test('show what the API refuses, and keep long lists in place', async ({ page, user }) => {
    const tools = Array.from({ length: 60 }, (_, i) => ({
      type: 'client',
      name: `tool_${i}_${'x'.repeat(i)}`.slice(0, 64),
      description: 'Öffnet die Tür und schließt sie wieder. 开门。'.repeat(i % 5),
    })).map((tool) => ({ ...tool, description: tool.description || 'Opens' }));
    const { body } = await createAssistant(user, { ...receptionist, tools });
    await open(page, `/assistants/${body.id}`);
    await section(page, 'Tools').getByText('tool_59', { exact: false }).first().waitFor();
    await inspect(page, 'tools-many');
    const json = page.getByLabel('The assistant as JSON');
    await json.fill((await json.inputValue()).replace('"tool_1_x"', '"tool 1"'));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await section(page, 'Tools').getByRole('alert').getByText('letters, digits').waitFor();
  });
});

describeConsole('variables of an assistant', () => {
  test('are added, and show in a preview', async ({ page, user }) => {
    const { body } = await createAssistant(user, { ...receptionist, first_message: 'Hello {{ customer }}!' });
    await open(page, `/assistants/${body.id}`);
    const variables = section(page, 'Variables');
    await variables.getByRole('checkbox', { name: 'The texts are templates' }).check();
    await variables.getByRole('button', { name: 'Add a variable' }).click();
    await variables.getByRole('textbox', { name: 'Name of variable 1' }).fill('customer');
    await variables.getByRole('textbox', { name: 'Default of variable 1' }).fill('Ann');
    await variables.getByRole('button', { name: 'Preview with the defaults' }).click();
    await variables.getByText('Hello Ann!').waitFor();
    const instruction = page.getByRole('textbox', { name: 'System instruction' });
    await instruction.fill('You help {{ custmer }} at {{ call.from }}.');
    await variables.getByText('Not declared, so empty unless a call sends them: custmer').waitFor();
    await save(page);
    expect((await user.get<Assistant>(`/assistants/${body.id}`)).body.variables).toEqual({
      customer: { default: 'Ann', description: null, required: false },
    });
    const first = page.getByRole('textbox', { name: 'First message' });
    await first.fill('Hello {% if %}');
    await variables.getByText(/A text cannot be rendered/).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByText(/The template cannot be read/)
      .first()
      .waitFor();
    await inspect(page, 'variables');
  });

  test('stay while a name is another’s for a moment, and come back when they are used again', async ({
    page,
    user,
  }) => {
    const variables = { a: { default: 'Ann' }, b: { default: 'Bob' } };
    const { body } = await createAssistant(user, { ...receptionist, variables });
    await open(page, `/assistants/${body.id}`);
    const shown = section(page, 'Variables');
    const name = (row: number) => shown.getByRole('textbox', { name: `Name of variable ${row}` });
    await name(2).fill('');
    await name(2).pressSequentially('ab');
    expect([await name(1).inputValue(), await name(2).inputValue()]).toEqual(['a', 'ab']);
    await name(2).fill('a');
    await shown.getByText('This name is taken', { exact: true }).waitFor();
    await page.keyboard.press('Control+S');
    await expect.poll(() => name(2).inputValue()).toBe('b');
    expect(await page.getByText('Unsaved changes').count()).toBe(0);

    const isUsed = shown.getByRole('checkbox', { name: 'The texts are templates' });
    await isUsed.uncheck();
    await name(1).waitFor({ state: 'detached' });
    const panes = page.getByRole('radiogroup', { name: 'View' });
    await panes.getByText('JSON', { exact: true }).click();
    await panes.getByText('Form', { exact: true }).click();
    await isUsed.check();
    expect([await name(1).inputValue(), await name(2).inputValue()]).toEqual(['a', 'b']);
  });
});
