import { expect } from 'vitest';
import { createAssistant } from '../support/assistants.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
import { expectAccessible, inspect } from './support/inspect.ts';

const markup = '<img src=x onerror="document.title = 1">';

describeConsole('the overview', () => {
  test('explains how to get calls if there are none', async ({ page }) => {
    await open(page, '/overview');
    await page.getByText('No calls in this period').waitFor();
    await page.getByRole('link', { name: 'How to take the first call' }).click();
    await page.waitForURL(`${consoleUrl}/`);
  });

  test('counts calls and minutes by day and assistant', async ({ page, user }) => {
    const [desk, night] = [
      await createAssistant(user, { name: markup }),
      await createAssistant(user, { name: 'Night' }),
    ];
    const say = (assistant_id: string, daysAgo: number, session_duration: number | null) =>
      user.post('/logs/call-logs', {
        assistant_id,
        room_name: `room-${daysAgo}-${session_duration}`,
        session_duration,
        started_at: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
        transcript: [{ role: 'user', content: 'Hello, who is it?' }],
      });
    await say(desk.body.id, 0, 90);
    await say(desk.body.id, 10, 30);
    await say(desk.body.id, 3, null);
    await say(night.body.id, 3, 60);

    await open(page, '/overview');
    const figure = (label: string) => page.locator('dl > div').filter({ hasText: label }).locator('dd').textContent();
    const plot = page.getByRole('img', { name: 'Calls per day: 4 in 30 days.' });
    await plot.locator('.recharts-bar-rectangle path').first().waitFor();
    await expect.poll(() => figure('Calls')).toBe('4');
    await expect.poll(() => figure('Minutes')).toBe('3');
    await expect.poll(() => figure('Average length')).toBe('1:00');
    await page.getByText('The length of one call is unknown.').waitFor();
    await page.getByRole('cell', { name: markup }).first().waitFor();
    await inspect(page, 'overview-calls');
    await expect.poll(() => page.title()).toBe('Overview · Voice assistants');

    // Shows the same as a table, by keyboard.
    await page
      .getByRole('radiogroup', { name: 'Calls per day: Shown as' })
      .getByRole('radio', { name: 'Chart' })
      .focus();
    await page.keyboard.press('ArrowRight');
    const table = page.getByRole('table', { name: 'Calls per day' });
    await table.waitFor();
    await expect.poll(() => table.getByRole('columnheader').allTextContents()).toEqual(['Day', markup, 'Night', 'All']);
    const counts = await table.getByRole('row').nth(4).getByRole('cell').allTextContents();
    expect(counts).toEqual(['1', '1', '2']);
    await inspect(page, 'overview-table');

    await page.getByText('7 days').click();
    await page.waitForURL(`${consoleUrl}/overview?days=7`);
    await expect.poll(() => figure('Calls')).toBe('3');
    await page.getByRole('combobox', { name: 'Assistant' }).click();
    await page.getByRole('option', { name: 'Night' }).click();
    await expect.poll(() => figure('Calls')).toBe('1');
    await page.reload();
    await page.getByText('Last calls').waitFor();
    await expect.poll(() => figure('Calls')).toBe('1');
    await page.getByRole('link', { name: 'Hello, who is it?' }).click();
    await page.waitForURL(/\/calls\/[0-9a-f-]{36}$/);
    await page.goBack();
    await page.locator('.recharts-bar-rectangle path').first().click();
    const day = await page.evaluate(() => new Intl.DateTimeFormat('en-CA').format(Date.now() - 3 * 86_400_000));
    await page.waitForURL(`${consoleUrl}/calls?assistant=${night.body.id}&from=${day}&to=${day}`);
    await page.getByText('Hello, who is it?').waitFor();
  });

  test('shows zeros for an assistant without calls, and links to the calls of a day', async ({ page, user }) => {
    const { id } = (await createAssistant(user, { name: 'Quiet' })).body;
    const { id: busy } = (await createAssistant(user, { name: 'Busy' })).body;
    await user.post('/logs/call-logs', { assistant_id: busy, room_name: 'front', transcript: [] });
    await open(page, `/overview?assistant=${id}`);
    await page.getByRole('img', { name: 'Calls per day: 0 in 30 days.' }).waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'Assistant' }).inputValue()).toBe('Quiet');
    await inspect(page, 'overview-zeros');

    await page.getByText('Table').first().click();
    await page.getByRole('table', { name: 'Calls per day' }).getByRole('link').first().click();
    const today = await page.evaluate(() => new Intl.DateTimeFormat('en-CA').format());
    await page.waitForURL(`${consoleUrl}/calls?assistant=${id}&from=${today}&to=${today}`);
  });

  test('sends at most ten requests, says that the count is partial, and lists each of many assistants', async ({
    page,
    user,
  }) => {
    const { id } = (await createAssistant(user)).body;
    await user.post('/logs/call-logs', { assistant_id: id, room_name: 'front', transcript: [] });
    let asked = 0;
    await page.route('**/logs/chat-sessions?*', async (route) => {
      asked += 1;
      const answer = await (await route.fetch()).json();
      const sessions = answer.data.sessions.flatMap((one: object) =>
        Array.from({ length: 20 }, (_, n) => ({ ...one, assistant_id: `desk-${n}`, assistant_name: `Desk ${n}` })),
      );
      await route.fulfill({ json: { ...answer, data: { sessions, next_cursor: 'more' } } });
    });
    await page.route('**/logs/chat-sessions?*cursor=more*', async (route) => {
      asked += 1;
      await route.fulfill({
        json: { status: 'success', message: '', data: { sessions: [], next_cursor: 'more' } },
      });
    });
    await open(page, '/overview');
    await page.getByText(/There are more calls than can be counted here: these are the newest \d+/).waitFor();
    expect(asked).toBe(10);
    const table = page.getByRole('table', { name: 'By assistant' });
    expect(await table.getByRole('row').count()).toBe(21);
    await expectAccessible(page);
    await table.getByRole('link', { name: 'Desk 19' }).click();
    await page.waitForURL(`${consoleUrl}/overview?assistant=desk-19`);
    await table.waitFor({ state: 'detached' });
  });
});
