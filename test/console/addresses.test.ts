import { expect } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { createAssistant } from '../support/assistants.ts';
import { upload } from '../support/knowledge-bases.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
import { expectAccessible, inspect } from './support/inspect.ts';
import { receptionist } from './support/receptionist.ts';

const unknownId = '00000000-0000-7000-8000-000000000000';
const deletedText = 'It may have been deleted, or it belongs to somebody else.';
const badUrlText = 'This address leads nowhere';
const noPageText = 'There is no such page';

const addresses: Record<string, string> = {
  [`/assistants/${unknownId}`]: deletedText,
  [`/assistants/${unknownId}/versions`]: deletedText,
  [`/assistants/new?from=${unknownId}`]: deletedText,
  [`/knowledge/${unknownId}`]: deletedText,
  [`/calls/${unknownId}`]: deletedText,
  '/assistants/nonsense': badUrlText,
  '/assistants/%00': badUrlText,
  '/assistants/nonsense/versions': badUrlText,
  '/assistants/%E0%A4%A': noPageText,
  '/assistants/new?from=nonsense': badUrlText,
  [`/assistants?name=${'x'.repeat(3_000)}`]: badUrlText,
  '/assistants?name=123': 'No assistant’s name contains “123”',
  '/assistants?name={"a":1}&name=[2]': 'No assistants yet',
  '/knowledge/%00': badUrlText,
  '/calls/%00': deletedText,
  [`/calls/${'y'.repeat(3_000)}`]: deletedText,
  '/calls?from=nonsense&to=2026-02-31&assistant=1&room[]=2': 'No calls yet',
  '/calls?from=2026-12-01&to=2026-01-01': 'No calls match',
  '/overview?days=1e400&assistant=%00': 'No calls in this period',
  '/keys?%': 'No API keys yet',
  '/activity?about=nonsense&subject=1&from=never': 'No activity yet',
  '/credentials/openai': noPageText,
  '/nowhere/%/at all': noPageText,
};

describeConsole('a URL', () => {
  test('shows a clear message if it is malformed or its item is gone', async ({ page }) => {
    for (const [path, words] of Object.entries(addresses)) {
      await open(page, path);
      await page
        .getByText(words)
        .first()
        .waitFor()
        .catch(async () => expect.fail(`${path} shows: ${await page.getByRole('main').innerText()}`));
      expect(await page.getByText('See what is marked').count(), path).toBe(0);
    }
    await open(page, `/assistants/${unknownId}`);
    await page.getByText(deletedText).waitFor();
    await inspect(page, 'assistant-not-found');
    await page.getByRole('main').getByRole('link', { name: 'Assistants' }).click();
    await page.waitForURL(`${consoleUrl}/assistants`);
  });
});

const names = {
  markup: '<script>document.title = 1</script><img src=x onerror=alert(1)>',
  override: 'pay\u202Egnp.exe\u202E roll',
  emoji: '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿 crew 🇨🇭',
  invisible: '\u200b\u200d\u200b',
  long: 'W'.repeat(200),
};
const endless = 'm'.repeat(2_000);

/** Returns the paths of links that are too narrow to click. */
const listNarrowLinks = () =>
  [...document.links]
    .filter((link) => link.checkVisibility() && link.getBoundingClientRect().width < 5)
    .map(({ pathname }) => pathname);

describeConsole('unusual names and texts', () => {
  test('never run as code, become invisible or widen the page', async ({ page, user }) => {
    const ids: Record<string, string> = {};
    for (const [kind, name] of Object.entries(names)) {
      const { body } = await createAssistant(user, { name, description: endless, system_instruction: endless });
      ids[kind] = body.id;
      const words = kind === 'invisible' ? name : `${endless} ${name}`;
      const fileName = kind === 'invisible' ? name : `${kind} ${name.slice(0, 80)}`;
      const { data } = (
        await upload(user, endless, `${fileName}.txt`, { path: `/assistants/${body.id}/knowledge-base` })
      ).body;
      ids[`${kind} document`] = data.id;
      const call = await user.post<{ data: { session_id: string } }>('/logs/call-logs', {
        assistant_id: body.id,
        room_name: name,
        participant_name: name,
        transcript: [
          { role: 'user', content: words },
          { type: 'function_call', name: 'f', arguments: { endless } },
        ],
      });
      expect(call.status).toBe(200);
      ids[`${kind} call`] = call.body.data.session_id;
      await user.post('/user-credentials', {
        service_type: 'openai',
        name: name.slice(0, 120),
        api_key: 'sk-something-long',
      });
      await user.post('/api-keys', { name: name.slice(0, 120), scopes: ['read'] });
    }
    const paths = [
      '/',
      '/overview',
      '/assistants',
      '/knowledge',
      '/calls',
      '/credentials',
      '/keys',
      `/calls?assistant=${ids.long}&room=${endless.slice(0, 256)}`,
      ...Object.keys(names).map((kind) => `/assistants/${ids[kind]}`),
      ...Object.keys(names).map((kind) => `/assistants/${ids[kind]}/versions`),
      ...Object.keys(names).map((kind) => `/calls/${ids[`${kind} call`]}`),
      `/knowledge/${ids['invisible document']}`,
    ];
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of paths) {
      await open(page, path);
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390);
      expect(await page.evaluate(listNarrowLinks), path).toEqual([]);
    }
    await open(page, '/assistants');
    await page.getByRole('row').nth(5).waitFor();
    await inspect(page, 'names');
    const [row] = await page
      .getByRole('row')
      .filter({ has: page.locator(`a[href$="${ids.invisible}"]`) })
      .all();
    await row?.getByRole('link').click();
    await page.waitForURL(`${consoleUrl}/assistants/${ids.invisible}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await inspect(page, 'name-invisible');
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'to confirm' }).fill('nameless');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Assistant deleted').waitFor();

    // Characters that cannot be typed may be left out.
    await open(page, `/assistants/${ids.override}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await inspect(page, 'name-override');
    await page.getByRole('textbox', { name: 'to confirm' }).fill('paygnp.exe roll');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Assistant deleted').waitFor();
  });

  test('unknown to the form survive a save', async ({ page, user }) => {
    const vendorSettings = {
      voice: {
        tts_provider: 'a-vendor-of-tomorrow',
        tts_model: 'x/1',
        language: 'tlh',
        深: [1, { a: null }],
        'a.b': 0.1,
      },
      llm: { llm_provider: 'mine', model: 'm', temperature: 1e-7, stop: ['\n'], '': 'unnamed' },
      transcriber: { stt_provider: '_', stt_model: '-', keywords: 'true', n: '007', big: '9007199254740993' },
      transport: { sip_config: { a: { b: [false] } }, other: null },
    };
    const { status, body } = await createAssistant(user, { ...receptionist, ...vendorSettings });
    expect(status).toBe(200);
    const { id } = body;
    const before = (await user.get<Assistant>(`/assistants/${id}`)).body;
    await open(page, `/assistants/${id}`);
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Only this');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    const after = (await user.get<Assistant>(`/assistants/${id}`)).body;
    expect(after).toEqual({ ...before, description: 'Only this', updated_at: after.updated_at });
  });
});
