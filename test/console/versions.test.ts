import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { Live } from '../../shared/schemas/live.ts';
import type { Client } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
import { inspect } from './support/inspect.ts';
import { receptionist } from './support/receptionist.ts';

const create = async (user: Client, fields: object = {}) =>
  (await createAssistant(user, { ...receptionist, ...fields })).body.id;
const edit = (user: Client, id: string, fields: object) => user.put<Assistant>(`/assistants/${id}`, fields);
const publish = (user: Client, id: string, body: object = {}) => user.post(`/assistants/${id}/versions`, body);
const readAssistant = async (user: Client, id: string) => (await user.get<Assistant>(`/assistants/${id}`)).body;
const readLive = async (user: Client, id: string): Promise<Live | null> => (await readAssistant(user, id)).live;

/** Publishes versions that differ in their description. */
async function publishMany(user: Client, id: string, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    await edit(user, id, { description: `Description ${number} of the receptionist` });
    await publish(user, id, { note: `Note ${number}` });
  }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const act = async (page: Page, version: number, name: string) => {
  await button(page, `Actions for v${version}`).click();
  await page.getByRole('menuitem', { name }).click();
};

describeConsole('publishing an assistant', () => {
  test('makes its draft live, and says when the draft differs', async ({ page, user }) => {
    const id = await create(user);
    await open(page, `/assistants/${id}`);
    const main = page.getByRole('main');
    await main.getByText('Draft', { exact: true }).waitFor();
    await button(page, 'Publish…').click();
    const publishing = dialog(page, 'Publish the draft');
    await publishing.getByText('Calls get the draft at present').waitFor();
    await publishing.getByRole('textbox', { name: 'Note' }).fill('  First of all  ');
    await inspect(page, 'publish-first');
    await publishing.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('v1 is live. The next calls get it.').waitFor();
    await main.getByText('Live v1', { exact: true }).waitFor();
    await expect.poll(() => button(page, 'Publish…').isDisabled()).toBe(true);

    await page
      .getByRole('textbox', { name: 'System instruction' })
      .fill(receptionist.system_instruction.replace('warmly and briefly', 'warmly, in one sentence'));
    await button(page, 'Publish…').click();
    await publishing.getByText('only what is saved can be published').waitFor();
    await publishing.getByRole('button', { name: 'Save and continue' }).click();
    const prompt = publishing.getByRole('region', { name: 'System instruction' });
    await prompt.locator('del', { hasText: 'and briefly' }).waitFor();
    await prompt.locator('ins', { hasText: 'in one sentence' }).waitFor();
    await main.getByText('Live v1 · Unpublished changes').waitFor();
    await inspect(page, 'publish');
    await publishing.getByRole('radio', { name: 'Publish without making it live' }).check();
    await publishing.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('v2 is published, but not live yet.').waitFor();
    await main.getByText('Live v1 · Unpublished changes').waitFor();
    await inspect(page, 'editor-unpublished');
    expect(await readLive(user, id)).toMatchObject({ versions: [{ version: 1, weight: 100 }] });

    await open(page, '/assistants');
    await page.getByRole('row', { name: receptionist.name }).getByText('Unpublished').first().waitFor();
    await inspect(page, 'assistants-unpublished');
  });

  test('is refused if somebody else has saved, until their changes are loaded', async ({ page, user }) => {
    const id = await create(user);
    await publish(user, id);
    await edit(user, id, { voice: { speed: 2 } });
    await open(page, `/assistants/${id}`);
    await button(page, 'Publish…').click();
    const publishing = dialog(page, 'Publish the draft');
    await publishing.getByRole('region', { name: 'Voice › speed: After' }).getByText('2').waitFor();
    await publishing.getByRole('textbox', { name: 'Note' }).fill('Faster');
    await edit(user, id, { first_message: 'Good evening, how may I help you?', tools: [{ type: 'end_call' }] });
    await publishing.getByRole('button', { name: 'Publish' }).click();
    await publishing.getByText('It was changed meanwhile').waitFor();
    await inspect(page, 'publish-conflict');
    await publishing.getByRole('button', { name: 'Load the changes' }).click();
    await publishing.getByRole('region', { name: 'First message' }).waitFor();
    await publishing.getByText('It was changed meanwhile').waitFor({ state: 'detached' });
    await inspect(page, 'publish-differences');
    await publishing.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('v2 is live').waitFor();
    expect((await user.get(`/assistants/${id}/versions/2`)).body).toMatchObject({ data: { note: 'Faster' } });
  });

  test('sends one request for two clicks, and keeps the note if it fails', async ({ page, user }) => {
    const id = await create(user);
    await open(page, `/assistants/${id}`);
    const keys: (string | undefined)[] = [];
    const url = `${user.baseUrl}/assistants/${id}/versions`;
    await page.route(url, (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      return keys.length === 1 ? route.abort() : route.continue();
    });
    await button(page, 'Publish…').click();
    const publishing = dialog(page, 'Publish the draft');
    await publishing.getByRole('textbox', { name: 'Note' }).fill('Once');
    await publishing.getByRole('button', { name: 'Publish' }).dblclick();
    await publishing.getByText('The service cannot be reached').waitFor();
    await publishing.getByRole('button', { name: 'Publish' }).dblclick();
    await page.getByText('v1 is live').waitFor();
    expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
  });
});

describeConsole('the versions of an assistant', () => {
  test('are explained before there are any', async ({ page, user }) => {
    const id = await create(user);
    await open(page, `/assistants/${id}`);
    await page.getByRole('link', { name: 'Version history' }).click();
    await page.getByRole('heading', { level: 1, name: 'Versions of Receptionist' }).waitFor();
    await page.getByText('A version is a copy of the assistant that never changes').waitFor();
    await inspect(page, 'versions-none');
    await page.getByRole('link', { name: 'Open the assistant' }).click();
    await page.waitForURL(`${consoleUrl}/assistants/${id}`);
  });

  test('are compared, restored, rolled back and deleted', async ({ page, user }) => {
    const id = await create(user);
    await publishMany(user, id, 3);
    await open(page, `/assistants/${id}/versions`);
    await page.getByRole('row', { name: 'v3' }).getByText('100 %').waitFor();
    await inspect(page, 'versions');

    await act(page, 2, 'Compare…');
    const comparing = dialog(page, 'Compare v2');
    await comparing.getByText('From v1 to v2').waitFor();
    await comparing.locator('del', { hasText: '1' }).waitFor();
    await comparing.locator('ins', { hasText: '2' }).waitFor();
    await comparing.getByRole('combobox', { name: 'Compare with' }).selectOption('What is live');
    await comparing.getByText('From v3 to v2').waitFor();
    await comparing.getByRole('combobox', { name: 'Compare with' }).selectOption('The draft');
    await comparing.getByText('From v2 to the draft').waitFor();
    await inspect(page, 'versions-compare');
    await page.keyboard.press('Escape');

    await act(page, 1, 'Restore into the draft…');
    const restoring = dialog(page, 'Restore v1 into the draft?');
    await restoring.getByText('Calls do not change: they keep v3').waitFor();
    await restoring.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The draft is now as v1 was').waitFor();
    await page.getByText('Live v3 · Unpublished changes').waitFor();
    expect(await readAssistant(user, id)).toMatchObject({ description: 'Description 1 of the receptionist' });

    await act(page, 2, 'Make live…');
    await dialog(page, 'Give all calls to v2?').getByRole('button', { name: 'Make live' }).click();
    await page.getByText('v2 is live').waitFor();
    await page.getByRole('row', { name: 'v2' }).getByText('100 %').waitFor();
    expect(await readLive(user, id)).toMatchObject({ versions: [{ version: 2, weight: 100 }] });

    await button(page, 'Actions for v2').click();
    await page.getByRole('menuitem', { name: 'Compare…' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Delete…' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await act(page, 3, 'Delete…');
    const deleting = dialog(page, 'Delete v3?');
    await deleting.getByRole('textbox').fill('v3');
    await deleting.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('v3 deleted').waitFor();
    await page.getByRole('row', { name: 'v3' }).waitFor({ state: 'detached' });
  });

  test('are loaded page by page, and show notes from right to left', async ({ page, user }) => {
    const id = await create(user);
    await publishMany(user, id, 43);
    await edit(user, id, { description: 'Arabic' });
    await publish(user, id, { note: 'يرحّب بالمتصل قبل أن يسأل عن تاريخ الميلاد (v2)' });
    await edit(user, id, { description: 'Hebrew' });
    await publish(user, id, { note: `שואל קודם על השם, ואז על תאריך הלידה. ${'m'.repeat(400)}` });
    await open(page, `/assistants/${id}/versions`);
    await button(page, 'Actions for v45').waitFor();
    await page.getByText('يرحّب بالمتصل').waitFor();
    await inspect(page, 'versions-many');
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 20_000);
        return button(page, 'Actions for v1').count();
      })
      .toBe(1);
    expect(await page.getByRole('table', { name: 'Versions, newest first' }).getAttribute('aria-rowcount')).toBe('46');
    await act(page, 1, 'Make live…');
    await dialog(page, 'Give all calls to v1?').getByRole('button', { name: 'Make live' }).click();
    await page.getByText('v1 is live').waitFor();
    expect(await readLive(user, id)).toMatchObject({ versions: [{ version: 1 }] });
  });
});

describeConsole('a rollout', () => {
  test('shares the calls between two versions, beside their numbers', async ({ page, user }) => {
    const id = await create(user);
    await publishMany(user, id, 1);
    await edit(user, id, { description: 'Second' });
    await publish(user, id, { live: false });
    for (const [assistant_version, room_name, cost] of [
      [1, 'a', 0.11],
      [1, 'b', 0.13],
      [2, 'c', 0.07],
    ] as const) {
      const { status } = await user.post('/logs/call-logs', {
        assistant_id: id,
        assistant_version,
        room_name,
        cost,
        session_duration: 30,
        transcript: [
          { type: 'message', role: 'user', content: ['Hello'], created_at: 1 },
          {
            type: 'message',
            role: 'assistant',
            content: ['Hi'],
            created_at: 2,
            metrics: { e2e_latency: 0.4 + assistant_version / 10 },
          },
        ],
      });
      expect(status).toBe(200);
    }
    await open(page, `/assistants/${id}/versions`);
    const section = page.getByRole('region', { name: 'What calls get' });
    await section.getByText('Calls get v1.').waitFor();
    await section.getByText('v2 10 % · v1 90 %').waitFor();
    await section.getByRole('button', { name: 'Save shares' }).click();
    await page.getByText('Live v2 10 % · v1 90 %').waitFor();
    expect(await readLive(user, id)).toMatchObject({
      versions: [
        { version: 2, weight: 10 },
        { version: 1, weight: 90 },
      ],
    });
    const usage = section.getByRole('table', { name: 'Last 7 days' });
    await expect
      .poll(() => usage.getByRole('row').allInnerTexts())
      .toEqual([
        expect.stringContaining('Calls'),
        expect.stringMatching(/^v2\s+1\s+\d+ ms\s+\d+ ms\s+\$0.07$/),
        expect.stringMatching(/^v1\s+2\s+\d+ ms\s+\d+ ms\s+\$0.24$/),
      ]);
    await expect.poll(() => section.getByRole('button', { name: 'Save shares' }).isDisabled()).toBe(true);
    await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
    await inspect(page, 'rollout', { isForDocs: true });

    const share = section.getByRole('textbox', { name: 'Share of v2, the newer one' });
    await share.fill('35');
    await section.getByText('v2 35 % · v1 65 %').waitFor();
    await section.getByRole('slider', { name: 'Share of v2, the newer one' }).press('ArrowRight');
    await section.getByText('v2 36 % · v1 64 %').waitFor();

    // Somebody else is faster.
    await user.put(`/assistants/${id}/live`, { version: 1 });
    await section.getByRole('button', { name: 'Save shares' }).click();
    await section.getByText('It was changed meanwhile').waitFor();
    expect(await readLive(user, id)).toMatchObject({ versions: [{ version: 1, weight: 100 }] });
    await section.getByRole('button', { name: 'Load the changes' }).click();
    await section.getByText('Calls get v1.').waitFor();
    await section.getByRole('button', { name: 'Save shares' }).click();
    await page.getByText('Live v2 10 % · v1 90 %').waitFor();

    await section.getByRole('button', { name: 'Give all calls to v2…' }).click();
    await dialog(page, 'Give all calls to v2?').getByRole('button', { name: 'Make live' }).click();
    await section.getByText('Calls get v2.').waitFor();
    await section.getByRole('button', { name: 'Back to the draft…' }).click();
    await dialog(page, 'Give all calls the draft?').getByRole('button', { name: 'Use the draft' }).click();
    await section.getByText('Calls get the draft.').waitFor();
    expect(await readLive(user, id)).toBeNull();
    await inspect(page, 'versions-draft-live');
  });
});
