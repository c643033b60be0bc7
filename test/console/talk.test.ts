import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { Client } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';
import { launch } from './support/chromium.ts';
import { test as base, describeConsole, open } from './support/console.ts';
import { inspect } from './support/inspect.ts';
import { startLiveKit } from './support/livekit.ts';
import { receptionist } from './support/receptionist.ts';

// support/livekit.ts describes the substitute for LiveKit. No test of this project asks a real server of LiveKit.

const secret = 'secret-of-the-scripted-server';

/** Browser test with a microphone that plays a tone. The headless browser asks nobody if a page may use it. */
const createTest = (access: string) =>
  base.extend({
    browser: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's dependencies from it
      async ({}, use) => {
        const browser = await launch(
          '--use-fake-device-for-media-stream',
          `--use-fake-ui-for-media-stream${access}`,
          '--disable-features=WebRtcHideLocalIpsWithMdns',
        );
        await use(browser);
        await browser.close();
      },
      { scope: 'worker' },
    ],
  });
const test = createTest('');
const testWithoutMicrophone = createTest('=deny');

/** True if a token is signed with the secret. */
function isOurs(token: string): boolean {
  const [header, claims, signature] = token.split('.');
  return createHmac('sha256', secret).update(`${header}.${claims}`).digest('base64url') === signature;
}

/** Returns the metadata that LiveKit passes to the worker for a token. */
function readDispatch(token = '') {
  const { roomConfig } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return JSON.parse(roomConfig.agents[0].metadata);
}

/** Starts a server of LiveKit for one test, and saves its key for the user. */
async function startServer(user: Client, api_secret = secret) {
  const server = await startLiveKit(isOurs);
  onTestFinished(() => server.stop());
  await saveKey(user, server.url, api_secret);
  return server;
}

const saveKey = (user: Client, url: string, api_secret = secret) =>
  user.post('/user-credentials', {
    service_type: 'livekit',
    api_key: JSON.stringify({ url, api_key: 'APIclinic', api_secret }),
  });

const create = async (user: Client, fields: object = {}): Promise<string> =>
  (await createAssistant(user, { ...receptionist, ...fields })).body.id;

const pane = (page: Page) => page.getByRole('region', { name: 'Talk', exact: true });
const button = (page: Page, name: string) => pane(page).getByRole('button', { name, exact: true });
const said = (page: Page) => pane(page).getByRole('region', { name: 'Transcript' });
const status = (page: Page) => pane(page).getByRole('status');
const alert = (page: Page) => pane(page).getByRole('alert');

/** Opens an assistant's page with the pane to call it. */
async function openTalk(page: Page, id: string): Promise<void> {
  await open(page, `/assistants/${id}`);
  await page.getByRole('radiogroup', { name: 'View' }).getByText('Talk', { exact: true }).click();
  await button(page, 'Call').waitFor();
}

const listScripts = (page: Page) =>
  page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('live-call')).length);

describeConsole('a call from the console', () => {
  test('connects, shows what both say, mutes, and ends when the worker leaves', async ({ page, user, context }) => {
    const server = await startServer(user);
    await server.open(context);
    const id = await create(user);
    await openTalk(page, id);
    await inspect(page, 'assistant-talk');
    expect(await listScripts(page)).toBe(0);
    await button(page, 'Call').click();
    await status(page).getByText('The assistant is about to answer').waitFor();
    expect(await listScripts(page)).toBe(1);
    expect(readDispatch(server.tokens[0])).toEqual({ assistant_id: id, version: 'draft', variables: {} });

    server.setAgent('ACTIVE');
    await status(page).getByText('The assistant has answered').waitFor();
    await expect.poll(server.countAudio).toBeGreaterThan(10);
    server.setSpeaking(true);
    await pane(page).getByText('The assistant is speaking').waitFor();
    await server.say('agent', 'SG_1', 'Clinic Weber, ', 'good day!');
    await said(page).getByText('Clinic Weber, good day!', { exact: true }).waitFor();
    server.setSpeaking(false);
    await pane(page).getByText('The assistant is speaking').waitFor({ state: 'detached' });
    await server.say('browser', 'SG_2', 'Hello, do you');
    await server.say('browser', 'SG_2', 'Hello, do you open today?');
    await said(page).getByText('Hello, do you open today?', { exact: true }).waitFor();
    expect(await said(page).getByRole('listitem').allTextContents()).toEqual([
      'AssistantClinic Weber, good day!',
      'YouHello, do you open today?',
    ]);
    await inspect(page, 'assistant-talking');

    await button(page, 'Mute').click();
    await status(page).getByText('Your microphone is muted').waitFor();
    await expect.poll(() => server.requests).toContain('muted true');
    await button(page, 'Unmute').click();
    await expect.poll(() => server.requests).toContain('muted false');

    server.setAgent('DISCONNECTED');
    await status(page).getByText('The call has ended').waitFor();
    await expect.poll(server.isConnected).toBe(false);
    await said(page).getByText('Hello, do you open today?').waitFor();
    await button(page, 'Call').waitFor();
  });

  test('goes on beside the form, and ends when the user hangs up', async ({ page, user, context }) => {
    const server = await startServer(user);
    await server.open(context);
    await openTalk(page, await create(user));
    await button(page, 'Call').click();
    await status(page).getByText('The assistant is about to answer').waitFor();
    await page.getByRole('radiogroup', { name: 'View' }).getByText('Form', { exact: true }).click();
    await button(page, 'Hang up').waitFor({ state: 'hidden' });
    expect(server.isConnected()).toBe(true);
    await page.getByRole('radiogroup', { name: 'View' }).getByText('Talk', { exact: true }).click();
    await button(page, 'Hang up').click();
    await status(page).getByText('The call has ended').waitFor();
    await expect.poll(server.isConnected).toBe(false);
  });

  test('ends when the user leaves the page', async ({ page, user, context }) => {
    const server = await startServer(user);
    await server.open(context);
    await openTalk(page, await create(user));
    await button(page, 'Call').click();
    await status(page).getByText('The assistant is about to answer').waitFor();
    await page.getByRole('link', { name: 'Credentials', exact: true }).click();
    await expect.poll(server.isConnected).toBe(false);
  });

  test('needs a server that accepts the key', async ({ page, user }) => {
    const server = await startServer(user, 'the secret of another server');
    await openTalk(page, await create(user));
    await button(page, 'Call').click();
    const { host } = new URL(server.url);
    await alert(page).getByText(`${host} refused the call`).waitFor();
    expect(server.paths[0]).toBe('/rtc/v1');
    await inspect(page, 'assistant-talk-refused');
    await server.stop();
    await button(page, 'Try again').click();
    await alert(page).getByText(`${host} cannot be reached`).waitFor();
  });

  testWithoutMicrophone(
    'says what to do without a credential, a permitted server or a microphone',
    async ({ page, user }) => {
      await openTalk(page, await create(user));
      await button(page, 'Call').click();
      await alert(page).getByText('There is no credential of LiveKit').waitFor();
      const link = pane(page).getByRole('link', { name: 'Go to credentials' });
      expect(await link.getAttribute('href')).toMatch(/\/credentials$/);
      await inspect(page, 'assistant-talk-no-credential');
      await saveKey(user, 'wss://voice.example.com');
      await button(page, 'Try again').click();
      await alert(page).getByText('This console may not connect to voice.example.com').waitFor();
      const server = await startServer(user);
      await button(page, 'Try again').click();
      await alert(page).getByText('The microphone is blocked').waitFor();
      expect(server.tokens).toEqual([]);
    },
  );

  test('asks for the variables that are missing, and calls a version', async ({ page, user }) => {
    const server = await startServer(user, 'the secret of another server');
    const id = await create(user, { variables: { customer: { required: true } } });
    await user.post(`/assistants/${id}/versions`, {});
    await openTalk(page, id);
    await button(page, 'Call').click();
    await pane(page).getByText('Field required').first().waitFor();
    await pane(page).getByRole('textbox', { name: 'customer' }).fill('Ada');
    await pane(page).getByRole('combobox', { name: 'Version' }).selectOption('1');
    await button(page, 'Call').click();
    await alert(page).getByText('refused the call').waitFor();
    expect(readDispatch(server.tokens[0])).toEqual({ assistant_id: id, version: '1', variables: { customer: 'Ada' } });
  });
});
