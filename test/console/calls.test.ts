import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Client } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
import { expectAccessible, inspect } from './support/inspect.ts';

const markup = '<img src=x onerror="document.title = 1">';

/** Logs a call, and returns its id. */
async function logCall(user: Client, assistant_id: string, call: object): Promise<string> {
  const { body, status } = await user.post<{ data: { session_id: string } }>('/logs/call-logs', {
    assistant_id,
    ...call,
  });
  expect(status).toBe(200);
  return body.data.session_id;
}

const sample = (name: string): object => JSON.parse(readFileSync(`test/data/transcripts/${name}.json`, 'utf8'));
const getCallRow = (page: Page, words: string) => page.getByRole('row', { name: words });

describeConsole('calls', () => {
  test('are filtered, read, linked to, downloaded and deleted', async ({ page, context, user }) => {
    await open(page, '/calls');
    await page.getByText('No calls yet').waitFor();
    await inspect(page, 'calls-none');

    const reception = (await createAssistant(user, { name: 'Reception' })).body.id;
    const night = (await createAssistant(user, { name: `Night ${markup}` })).body.id;
    const id = await logCall(user, reception, sample('livekit'));
    for (const name of ['vapi', 'elevenlabs', 'retell', 'plain']) await logCall(user, night, sample(name));
    await page.reload();
    await getCallRow(page, 'Today').getByText('5 calls').waitFor();
    await inspect(page, 'calls');

    await page.getByRole('combobox', { name: 'Assistant' }).fill('recep');
    await page.getByRole('option', { name: 'Reception' }).click();
    await getCallRow(page, 'Today').getByText('1 call', { exact: true }).waitFor();
    await expect.poll(() => page.url()).toBe(`${consoleUrl}/calls?assistant=${reception}`);
    await page.getByLabel('To').fill('2020-01-01');
    await page.getByText('No calls match').waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await getCallRow(page, 'Today').getByText('5 calls').waitFor();

    await page.getByRole('link', { name: "Hi, uh, I'd like to move my appointment" }).click();
    await page.getByText('Half past three.').waitFor();
    await page.getByText('Called find_slots').click();
    await page.getByText('"part": "afternoon"').waitFor();
    await inspect(page, 'call');
    await page.getByRole('searchbox', { name: 'Find in the transcript' }).fill('thursday');
    await page.getByText('1 of 3').waitFor();
    await expectAccessible(page);

    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the link to turn 6', exact: true }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(`${consoleUrl}/calls/${id}#turn-6`);
    await page.goto('about:blank');
    await page.goto(link);
    await expect.poll(() => page.locator('li[data-current]').innerText()).toContain('Half past three.');

    await page.getByRole('button', { name: 'Copy as text' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('\n0:14 Caller: Half past three.\n');

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download JSON' }).click();
    const saved = JSON.parse(readFileSync(await (await download).path(), 'utf8'));
    expect(saved).toMatchObject({ session: { session_id: id }, logs: { length: 8 } });

    await page.getByRole('link', { name: 'All its calls' }).click();
    await page.waitForURL(`${consoleUrl}/calls?assistant=${reception}`);
    await page.goBack();
    await page.getByRole('link', { name: 'Reception', exact: true }).click();
    await page.waitForURL(`${consoleUrl}/assistants/${reception}`);
    await page.goBack();

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('textbox', { name: 'Type “delete” to confirm' }).fill('delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await getCallRow(page, 'Today').getByText('4 calls').waitFor();

    // Calls outlast their assistants.
    await user.delete(`/assistants/${night}`);
    await page.getByRole('combobox', { name: 'Assistant' }).fill('night');
    await page.getByRole('option', { name: `Night ${markup}` }).click();
    await page.waitForURL(`${consoleUrl}/calls?assistant=${night}`);
    await page.getByRole('button', { name: `Night ${markup}` }).waitFor();
  });

  test('appear without a reload, under the day they started', async ({ page, user }) => {
    const { id } = (await createAssistant(user)).body;
    // A fake clock skips the wait.
    await page.clock.install();
    await open(page, `/calls?assistant=${id}`);
    await page.getByText('No calls match').waitFor();
    const saved = await logCall(user, id, {
      room_name: 'front',
      participant_name: 'Ada',
      transcript: [{ role: 'user', content: 'Hello?' }],
      started_at: new Date(2026, 0, 2, 23, 58).toISOString(),
      ended_at: new Date(2026, 0, 3, 0, 4).toISOString(),
    });
    await page.clock.fastForward(31_000);
    const row = page.getByRole('row', { name: 'Ada' });
    await expect.poll(() => row.locator('time').innerText()).toBe('23:58');
    await page.getByText('Fri, 2 Jan 2026').waitFor();
    await open(page, `/calls/${saved}`);
    const fact = (name: string) => page.locator('dt', { hasText: name }).locator('+ dd').innerText();
    await expect.poll(() => fact('Ended')).toContain('Sat, 3 Jan 2026, 00:04:00');
    await expect.poll(() => fact('Channel')).toBe('Voice');
  });

  test('are found by part of the caller or room among loaded ones, and by the full room name among all', async ({
    page,
    user,
  }) => {
    const { id } = (await createAssistant(user)).body;
    const callers = ['Zoë Lindqvist', 'Ada', 'Grace', 'Joan'];
    for (const participant_name of callers)
      await logCall(user, id, { room_name: `line of ${participant_name}`, participant_name, transcript: [] });
    // Pages of two, so that few calls fill several pages.
    await page.route('**/logs/chat-sessions?*', (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/limit=\d+/, 'limit=2'),
      }),
    );
    await open(page, `/calls?assistant=${id}&find=joa`);
    await page.getByText('1 of the 2 calls read so far').waitFor();
    await page.getByRole('row', { name: 'line of Joan' }).waitFor();
    const field = page.getByRole('searchbox', { name: 'Find' });
    await field.fill('line of ZOE');
    await page.getByText('No calls match').waitFor();
    await page.getByRole('button', { name: 'Search older calls' }).click();
    await page.getByRole('row', { name: 'Zoë Lindqvist' }).waitFor();
    expect(await page.getByRole('button', { name: 'Search older calls' }).count()).toBe(0);

    await open(page, `/calls?find=${encodeURIComponent('line of Zoë Lindqvist')}`);
    await page.getByRole('link', { name: 'All calls of the room “line of Zoë Lindqvist”' }).click();
    await page.getByRole('row', { name: 'Zoë Lindqvist' }).waitFor();
    await page.getByRole('button', { name: 'line of Zoë Lindqvist' }).click();
    await page.waitForURL(`${consoleUrl}/calls`);
  });

  test('of 9,000 turns render as few elements as short ones, and show markup as text', async ({ page, user }) => {
    const { id } = (await createAssistant(user)).body;
    const transcript = Array.from({ length: 9_000 }, (_, index) => ({
      role: index % 2 ? 'user' : 'assistant',
      content: `This is turn ${index + 1}. ${markup}`,
      time_in_call_secs: index,
    }));
    const call = await logCall(user, id, { room_name: markup, participant_name: markup, transcript });
    await open(page, `/calls/${call}#turn-7321`);
    const turn = (number: number) => page.getByText(`This is turn ${number}. ${markup}`, { exact: true });
    await turn(7321).waitFor();
    await expect.poll(() => page.locator('li[data-current]').innerText()).toContain('turn 7321.');

    await page.getByRole('textbox', { name: 'Jump to a time' }).fill('1:00');
    await page.keyboard.press('Enter');
    await turn(61).waitFor();
    await page.getByRole('searchbox', { name: 'Find in the transcript' }).fill('TURN 899');
    await page.getByText('1 of 11').waitFor();
    await page.keyboard.press('Shift+Enter');
    await turn(8999).waitFor();
    await expect.poll(() => page.locator('mark').first().innerText()).toBe('turn 899');

    expect(await page.getByRole('region', { name: 'Transcript' }).getByRole('listitem').count()).toBeLessThan(60);
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1_500);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(markup);
    await expect.poll(() => page.title()).toContain(markup);

    // On a phone, the transcript scrolls with the page, below one sticky line of controls.
    await page.setViewportSize({ width: 390, height: 844 });
    const getTop = async (locator: Locator) => (await locator.boundingBox())?.y ?? Number.NaN;
    // The list keeps its scroll position until it has measured its turns again.
    await expect
      .poll(async () => {
        await page.evaluate(() => scrollTo(0, 0));
        return turn(1).isVisible();
      })
      .toBe(true);
    expect(await getTop(turn(1))).toBeLessThan(350);
    await page.mouse.move(195, 600);
    await page.mouse.wheel(0, 3_000);
    await turn(1).waitFor({ state: 'detached' });
    const [head, line] = [page.getByRole('banner'), page.getByRole('searchbox', { name: 'Find in the transcript' })];
    expect((await getTop(line)) - ((await head.boundingBox())?.height ?? 0)).toBeLessThan(30);
    expect(await page.getByRole('button', { name: 'Delete' }).isVisible()).toBe(false);
  });
});
