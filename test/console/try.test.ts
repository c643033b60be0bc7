import type { Page } from 'playwright-core';
import { afterAll, beforeEach, expect } from 'vitest';
import type { Client } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';
import { uploadAndWait } from '../support/knowledge-bases.ts';
import { answer, startReceiver } from '../support/receiver.ts';
import { answerModel, eventStream, listEvents, type ModelAnswer, stream } from '../support/vendor.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
import { isApi, respondBusy } from './support/faults.ts';
import { inspect } from './support/inspect.ts';
import { receptionist } from './support/receptionist.ts';

const vendor = await startReceiver();
afterAll(() => vendor.stop());
const { origin } = new URL(vendor.url);

beforeEach(() => {
  vendor.requests.length = 0;
  vendor.script = answerModel({ text: 'On Saturdays we open at nine.' });
});

/** Creates an assistant that the scripted vendor answers for. */
async function create(user: Client, fields: object = {}): Promise<string> {
  const llm = { model: 'gpt-4.1-mini', base_url: `${origin}/v1` };
  return (await createAssistant(user, { ...receptionist, first_message: 'Good day!', llm, ...fields })).body.id;
}

const pane = (page: Page) => page.getByRole('region', { name: 'Try', exact: true });
const message = (page: Page) => pane(page).getByRole('textbox', { name: 'Message' });
const button = (page: Page, name: string) => pane(page).getByRole('button', { name, exact: true });
const said = (page: Page) => pane(page).getByRole('region', { name: 'Conversation' });
const announced = (page: Page) => pane(page).getByRole('status');

/** Opens an assistant's page with the pane to try it. */
async function openTry(page: Page, id: string): Promise<void> {
  await open(page, `/assistants/${id}`);
  await page.getByRole('radiogroup', { name: 'View' }).getByText('Try', { exact: true }).click();
  await message(page).waitFor();
}

async function send(page: Page, question: string): Promise<void> {
  await message(page).fill(question);
  await message(page).press('Enter');
}

/** Messages of a request to the vendor, without the prompt. */
const listSent = (number: number) =>
  JSON.parse(vendor.requests[number]?.body ?? '{}').messages.map(({ role, content }: Record<string, unknown>) => [
    role,
    content,
  ]);
const prompt = ['system', receptionist.system_instruction];
const greeting = ['assistant', 'Good day!'];

/** Makes the vendor wait before each piece of its answer until the returned function is called. */
function gateVendor(given: ModelAnswer) {
  let proceed = () => {};
  let isClosed = false;
  vendor.script = async (response) => {
    response.on('close', () => {
      isClosed = true;
    });
    response.writeHead(200, eventStream);
    for (const piece of listEvents(given)) {
      response.write(piece);
      if (/"content":"[^"]/.test(piece))
        await new Promise<void>((resolve) => {
          proceed = resolve;
        });
    }
    response.end();
  };
  return { proceed: () => proceed(), isClosed: () => isClosed };
}

describeConsole('a conversation with an assistant', () => {
  test('streams answers, announces them, and is stored among the calls', async ({ page, user }) => {
    const id = await create(user);
    await openTry(page, id);
    await said(page).getByText('Good day!').waitFor();
    const { proceed } = gateVendor({ text: 'At nine.' });
    await send(page, 'When do you open on Saturday?');
    await said(page).getByText('At ', { exact: true }).waitFor();
    expect(await announced(page).textContent()).toBe('');
    proceed();
    await said(page).getByText('At nin', { exact: true }).waitFor();
    proceed();
    await said(page).getByText('At nine.', { exact: true }).waitFor();
    expect(await announced(page).textContent()).toBe('');
    proceed();
    await announced(page).getByText('At nine.', { exact: true }).waitFor({ state: 'attached' });
    expect(await message(page).evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await message(page).inputValue()).toBe('');

    vendor.script = answerModel({ text: 'You are welcome.' });
    await send(page, 'Thanks');
    await announced(page).getByText('You are welcome.').waitFor({ state: 'attached' });
    const told = [prompt, greeting, ['user', 'When do you open on Saturday?'], ['assistant', 'At nine.']];
    expect(listSent(1)).toEqual([...told, ['user', 'Thanks']]);
    await said(page)
      .getByText(/^[\d,]+ ms · 25 tokens · Draft$/)
      .last()
      .click();
    await inspect(page, 'assistant-try', { isForDocs: true });

    await said(page).getByRole('link', { name: 'Open among the calls' }).click();
    await page.getByRole('heading', { name: 'Transcript' }).waitFor();
    await page.getByText('You are welcome.').waitFor();
    expect(await page.getByText('Good day!').count()).toBe(1);
    await page.getByRole('main').getByText('Text', { exact: true }).first().waitFor();
    await inspect(page, 'call-text');
    await open(page, '/calls');
    const row = page.getByRole('row', { name: 'When do you open on Saturday?' });
    await row.getByText('Text', { exact: true }).waitFor();
    await inspect(page, 'calls-text');
  });

  test('is sent with Enter, but not within a line, a composition or an answer', async ({ page, user }) => {
    await openTry(page, await create(user));
    await message(page).pressSequentially('First line');
    await message(page).press('Shift+Enter');
    await message(page).pressSequentially('二');
    await message(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true });
    await message(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
    expect(await message(page).inputValue()).toBe('First line\n二');
    const { proceed } = gateVendor({ text: 'One' });
    await message(page).press('Enter');
    await said(page).getByText('One', { exact: true }).waitFor();
    await send(page, 'Too early');
    expect(await message(page).inputValue()).toBe('Too early');
    proceed();
    await announced(page).getByText('One').waitFor({ state: 'attached' });
    expect(listSent(0).at(-1)).toEqual(['user', 'First line\n二']);
    expect(vendor.requests).toHaveLength(1);
  });

  test('stops at the vendor too, and goes on, is repeated and begun anew', async ({ page, user }) => {
    await openTry(page, await create(user));
    const { proceed, isClosed } = gateVendor({ text: 'A long answer. '.repeat(100) });
    await send(page, 'Hello');
    await said(page).getByText('A l', { exact: true }).waitFor();
    await button(page, 'Stop').click();
    await said(page).getByText('Stopped', { exact: true }).waitFor();
    // The service sees with the next piece that nobody reads it.
    await expect
      .poll(() => {
        proceed();
        return isClosed();
      })
      .toBe(true);
    expect(await message(page).evaluate((field) => field === document.activeElement)).toBe(true);

    vendor.script = answerModel({ text: 'Shorter' });
    await button(page, 'Regenerate').click();
    await announced(page).getByText('Shorter').waitFor({ state: 'attached' });
    expect(listSent(1)).toEqual([prompt, greeting, ['user', 'Hello']]);
    expect(await said(page).getByText('A l', { exact: true }).count()).toBe(0);

    const sessions = vendor.requests.length;
    await button(page, 'New conversation').click();
    await said(page).getByText('Shorter').waitFor({ state: 'detached' });
    await send(page, 'Again');
    await announced(page).getByText('Shorter').waitFor({ state: 'attached' });
    expect(listSent(sessions)).toEqual([prompt, greeting, ['user', 'Again']]);
  });

  test('is with what is saved: the draft, or a version', async ({ page, user }) => {
    const id = await create(user, { system_instruction: 'First.' });
    await user.post(`/assistants/${id}/versions`, {});
    await openTry(page, id);
    await page.getByRole('textbox', { name: 'System instruction' }).fill('Second.');
    await pane(page).getByText('Save to try your changes.').waitFor();
    await message(page).fill('Hello');
    await inspect(page, 'assistant-try-unsaved');
    await message(page).press('Enter');
    await pane(page).getByText('Enter sends, Shift and Enter break the line.').waitFor();
    expect(vendor.requests).toHaveLength(0);
    await message(page).press('Enter');
    await said(page).getByText('Draft', { exact: false }).waitFor();
    await pane(page).getByRole('combobox', { name: 'Version' }).selectOption('v1');
    await button(page, 'Regenerate').click();
    await said(page)
      .getByText(/ · v1$/)
      .waitFor();
    await pane(page).getByRole('combobox', { name: 'Version' }).selectOption('Live v1');
    await send(page, 'And live?');
    await expect
      .poll(() =>
        said(page)
          .getByText(/ · v1$/)
          .count(),
      )
      .toBe(2);
    expect(vendor.requests.map((_, number) => listSent(number)[0][1])).toEqual(['Second.', 'First.', 'First.']);

    // The conversation stays while other panes show.
    const view = page.getByRole('radiogroup', { name: 'View' });
    await view.getByText('Form and JSON').click();
    await message(page).waitFor({ state: 'hidden' });
    await view.getByText('Try', { exact: true }).click();
    await said(page).getByText('And live?').waitFor();
  });

  test('takes the variables of the assistant, and names those that are missing', async ({ page, user }) => {
    const variables = { customer: { required: true }, place: { default: 'Berlin' } };
    const id = await create(user, {
      first_message: 'Good day, {{ customer }}!',
      system_instruction: 'In {{ place }}.',
      variables,
    });
    await openTry(page, id);
    await send(page, 'Hello');
    await said(page).getByText('Some fields need attention').waitFor();
    await inspect(page, 'assistant-try-variables');
    await button(page, 'Fill in the variables').click();
    const customer = pane(page).getByRole('textbox', { name: 'customer' });
    expect(await customer.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('Ada');
    await button(page, 'Try again').click();
    await said(page).getByText('Good day, Ada!').waitFor();
    expect(listSent(0)).toEqual([
      ['system', 'In Berlin.'],
      ['assistant', 'Good day, Ada!'],
      ['user', 'Hello'],
    ]);
    await pane(page).getByRole('textbox', { name: 'place' }).fill('Bern');
    await send(page, 'Where?');
    await expect.poll(() => vendor.requests.length).toBe(2);
    expect(listSent(1).slice(0, 2)).toEqual([
      ['system', 'In Bern.'],
      ['assistant', 'Good day, Ada!'],
    ]);
  });

  test('shows tools that ran, passages that were found, and what a call would do', async ({ page, user }) => {
    const parameters = { type: 'object', properties: { order_id: { type: 'string' } } };
    const tools = [
      { type: 'http', name: 'find_order', description: 'Finds', parameters, http: { url: `${origin}/orders` } },
      { type: 'client', name: 'open_door', description: 'Opens', parameters: { type: 'object', properties: {} } },
      { type: 'end_call' },
    ];
    const id = await create(user, { tools });
    const document = await uploadAndWait(user, 'On Saturdays we open at nine.', 'hours.txt');
    await user.put(`/assistants/${id}/knowledge-bases/${document.id}`, undefined);
    const steps: ModelAnswer[] = [
      {
        calls: [
          { name: 'find_order', arguments: { order_id: '7' } },
          { name: 'search_knowledge', arguments: { query: 'Saturday' } },
        ],
      },
      { text: 'It was sent.' },
      { calls: [{ name: 'open_door', arguments: { side: 'north' } }] },
      { text: 'The door stays closed.' },
    ];
    vendor.script = (response, request, number) =>
      request.path.startsWith('/orders')
        ? answer(500, '{"state":"lost"}')(response, request, number)
        : stream(...listEvents(steps.shift() ?? {}))(response, request, number);
    await openTry(page, id);
    await send(page, 'Where is my order?');
    await said(page)
      .getByText(/· 2 tool calls · 1 passage · Draft$/)
      .click();
    const called = said(page).getByRole('region', { name: 'Called find_order' });
    await called.getByText('"order_id": "7"').waitFor();
    await called.getByText('"state": "lost"').waitFor();
    await called.getByText('Failed').waitFor();
    await called.getByText(/^\d+ ms$/).waitFor();
    await said(page).getByText('hours.txt', { exact: true }).waitFor();
    await inspect(page, 'assistant-try-tools');

    await send(page, 'Open the door');
    await said(page).getByText('The call would run open_door').waitFor();
    await said(page).getByText('"side": "north"').waitFor();
    await announced(page).getByText('The call would run open_door').waitFor({ state: 'attached' });
    await send(page, 'Is it open?');
    await announced(page).getByText('The door stays closed.').waitFor({ state: 'attached' });
    expect(listSent(vendor.requests.length - 1).slice(-3)).toEqual([
      ['assistant', null],
      ['tool', 'Not run: this is a conversation in text.'],
      ['user', 'Is it open?'],
    ]);
  });

  test('shows errors at the answer, and leaves them out when it goes on', async ({ page, user }) => {
    await openTry(page, await create(user));
    vendor.script = answer(401, '{"error":{"message":"Incorrect API key provided"}}');
    await send(page, 'Hello');
    const alert = said(page).getByRole('alert');
    await alert.getByText('The language model’s vendor refused the request').waitFor();
    await alert.getByText('Incorrect API key provided').waitFor();
    await inspect(page, 'assistant-try-refused');
    vendor.script = answer(429, '{"error":{"message":"Rate limit reached"}}');
    await button(page, 'Try again').click();
    await alert.getByText('The language model’s vendor is busy').waitFor();

    await page.route(isApi, (route) => route.abort());
    await button(page, 'Try again').click();
    await alert.getByText('The service cannot be reached').waitFor();
    await page.unroute(isApi);
    await page.route(isApi, (route) => respondBusy(route));
    await button(page, 'Try again').click();
    await alert.getByText('busy-1').waitFor();
    await page.unroute(isApi);

    vendor.script = stream(...listEvents({ text: 'Half' }).slice(0, 2), 'data: {"error":{"message":"Overloaded"}}\n\n');
    await button(page, 'Try again').click();
    await said(page).getByText('Hal', { exact: true }).waitFor();
    await alert.getByText(/Overloaded/).waitFor();
    vendor.script = answerModel({ text: 'Here I am.' });
    await send(page, 'Are you there?');
    await announced(page).getByText('Here I am.').waitFor({ state: 'attached' });
    expect(listSent(vendor.requests.length - 1)).toEqual([prompt, greeting, ['user', 'Are you there?']]);
  });

  test('says that a key is missing, and leads to the credentials', async ({ page, user }) => {
    await openTry(page, await create(user, { llm: { llm_provider: 'mistral', model: 'mistral-small' } }));
    await send(page, 'Hello');
    await said(page).getByRole('alert').getByText('The key of the language model is missing').waitFor();
    await inspect(page, 'assistant-try-key');
    await said(page).getByRole('link', { name: 'Go to credentials' }).click();
    await page.waitForURL(`${consoleUrl}/credentials`);
  });

  test('takes any script and long words, and ends at 200 messages', async ({ page, user }) => {
    await openTry(page, await create(user, { first_message: null }));
    vendor.script = answerModel({ text: `مرحبا بكم في العيادة. ${'x'.repeat(300)}` });
    await send(page, 'مساء الخير، متى تفتحون يوم السبت؟');
    await announced(page).getByText('مرحبا').waitFor({ state: 'attached' });
    await inspect(page, 'assistant-try-arabic');
    const bubble = said(page).getByText('مساء الخير');
    expect(await bubble.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');

    // Each call of a tool needs a message with its result in the next request.
    const calls = Array.from({ length: 120 }, (_, number) => ({ id: `c${number}`, name: 'look', arguments: {} }));
    vendor.script = answerModel({ calls });
    for (const number of [120, 240]) {
      await send(page, 'Look around');
      await said(page)
        .getByText('The call would run look')
        .nth(number - 1)
        .waitFor();
      await said(page).getByRole('button', { name: 'Regenerate' }).waitFor();
    }
    await pane(page).getByText('A conversation has at most 200 messages.').waitFor();
    await inspect(page, 'assistant-try-full');
    await send(page, 'One more');
    expect(vendor.requests).toHaveLength(3);
    vendor.script = answerModel({ text: 'Yes.' });
    await pane(page).locator('form').getByRole('button', { name: 'New conversation' }).click();
    await said(page).getByText('Look around').first().waitFor({ state: 'detached' });
    await message(page).press('Enter');
    await announced(page).getByText('Yes.').waitFor({ state: 'attached' });
    expect(listSent(3)).toEqual([prompt, ['user', 'One more']]);
  });
});
