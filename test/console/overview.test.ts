import { readFileSync } from 'node:fs';
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
        end_reason: 'Caller hung up',
        transcript: [
          { role: 'user', content: 'Hello, who is it?' },
          { role: 'assistant', content: 'The desk.', metrics: { e2e_latency: 0.65 } },
        ],
        usage: [{ type: 'llm_usage', provider: 'openai', model: 'gpt-4.1-mini', input_tokens: 1_000_000 }],
      });
    await say(desk.body.id, 0, 90);
    await say(desk.body.id, 10, 30);
    await say(desk.body.id, 3, null);
    await say(night.body.id, 3, 60);

    await open(page, '/overview');
    const figure = (label: string) =>
      page
        .locator('dl > div')
        .filter({ has: page.getByText(label, { exact: true }) })
        .locator('dd')
        .textContent();
    const plot = page.getByRole('img', { name: 'Calls per day: 4 in 30 days.' });
    await plot.locator('.recharts-bar-rectangle path').first().waitFor();
    await expect.poll(() => figure('Calls')).toBe('4');
    await expect.poll(() => figure('Minutes')).toBe('3');
    await expect.poll(() => figure('Average length')).toBe('1:00');
    await expect.poll(() => figure('Answer, median')).toBe('700 ms');
    await expect.poll(() => figure('Cost')).toBe('–');
    await page.getByText('caller hung up').waitFor();
    await page.getByRole('cell', { name: 'openai/gpt-4.1-mini' }).waitFor();
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
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
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
    const today = new Date().toISOString().slice(0, 10);
    await page.waitForURL(`${consoleUrl}/calls?assistant=${id}&from=${today}&to=${today}`);
  });

  test('sets prices, shows the cost of the calls that follow, and saves the numbers as a file', async ({
    page,
    user,
  }) => {
    const { id } = (await createAssistant(user, { name: 'Priced' })).body;
    const call = (room_name: string) =>
      user.post('/logs/call-logs', {
        assistant_id: id,
        room_name,
        transcript: [{ role: 'user', content: 'Hello' }],
        usage: [{ type: 'llm_usage', provider: 'openai', model: 'gpt-4.1-mini', input_tokens: 1_000_000 }],
      });
    await call('before');
    await open(page, `/overview?assistant=${id}`);
    await page.getByRole('button', { name: 'Prices' }).click();
    const dialog = page.getByRole('dialog', { name: 'Prices' });
    await dialog
      .getByRole('group', { name: 'llm:openai/gpt-4.1-mini' })
      .getByLabel('Input, million tokens')
      .fill('0.4');
    await dialog.getByLabel('Another model').fill('cartesia');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('Such as llm:openai/gpt-4.1-mini or tts:cartesia/*').waitFor();
    await dialog.getByLabel('Another model').fill('tts:cartesia/*');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('group', { name: 'tts:cartesia/*' }).getByLabel('Million characters').fill('30');
    await inspect(page, 'overview-prices');
    await dialog.getByRole('button', { name: 'Save prices' }).click();
    await page.getByText('Prices saved.').waitFor();
    const { body } = await user.get<{ data: { entries: object } }>('/usage/prices');
    expect(body.data.entries).toEqual({
      'llm:openai/gpt-4.1-mini': { input: 0.4 },
      'tts:cartesia/*': { per_million_characters: 30 },
    });

    await call('after');
    await page.reload();
    await page.getByRole('img', { name: 'Cost per day: $0.4' }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    expect(readFileSync(await file.path(), 'utf8')).toContain(',Priced,2,');
  });

  test('lists each of many assistants, and their calls together if there are too many', async ({ page, user }) => {
    const { id } = (await createAssistant(user)).body;
    await user.post('/logs/call-logs', { assistant_id: id, room_name: 'front', transcript: [] });
    let isTooMany = false;
    await page.route('**/analytics/usage?*group_by=assistant*', async (route) => {
      if (isTooMany)
        return route.fulfill({ status: 422, json: { detail: [{ loc: ['query'], msg: 'Too many', type: 'x' }] } });
      const answer = await (await route.fetch()).json();
      const [entry] = answer.data.series;
      const series = Array.from({ length: 20 }, (_, n) => ({
        ...entry,
        key: `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`,
        name: `Desk ${n}`,
      }));
      await route.fulfill({ json: { ...answer, data: { ...answer.data, series } } });
    });
    await open(page, '/overview');
    const table = page.getByRole('table', { name: 'By assistant' });
    await table.waitFor();
    expect(await table.getByRole('row').count()).toBe(21);
    await expectAccessible(page);
    await table.getByRole('link', { name: 'Desk 19' }).click();
    await page.waitForURL(`${consoleUrl}/overview?assistant=00000000-0000-4000-8000-000000000019`);
    await table.waitFor({ state: 'detached' });

    isTooMany = true;
    await open(page, '/overview');
    await page
      .getByRole('img', { name: /^Calls per day: \d+ in 30 days/ })
      .locator('.recharts-bar-rectangle path')
      .first()
      .waitFor();
    await expectAccessible(page);
  });
});
