import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, inject } from 'vitest';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { describeConsole, open, test } from './support/console.ts';
import { crowd } from './support/crowd.ts';
import { furnish } from './support/furnished.ts';
import { readAll, scrollThrough } from './support/scrolling.ts';

const many = 10_000;

const place = {
  dynamoDb: new DynamoDBClient({ endpoint: inject('dynamoDb'), region: 'us-east-1', credentials }),
  table: inject('tableName'),
};

const lists = { assistants: 'Reception', knowledge: 'hours', calls: 'When do you open?' };

describeConsole('ten thousand of everything', () => {
  test('are light, and can be scrolled through to the last, also by keyboard', { timeout: 300_000 }, async ({
    page,
    user,
  }) => {
    await furnish(user);
    await crowd(place, user.token, many);
    for (const [path, name] of Object.entries(lists)) {
      await open(page, `/${path}`);
      await page.getByRole('row', { name }).first().waitFor();
      // To the end by the keyboard: each time, more comes.
      await page.getByRole('heading', { level: 1 }).focus();
      for (let press = 0; press < 3; press++) {
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.keyboard.press('End');
        await page.waitForFunction((before) => document.documentElement.scrollHeight > before, height);
      }
      await readAll(page, many);
      await page.keyboard.press('End');
      const last = Number(await page.locator('table').getAttribute('aria-rowcount'));
      await page.locator(`tr[aria-rowindex="${last}"]`).waitFor();
      const { elements } = await scrollThrough(page, { steps: 60 });
      expect(elements, path).toBeLessThan(2_000);
    }

    await open(page, '/assistants');
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('nothing of that name');
    await page.getByText('No assistant’s name contains “nothing of that name”').waitFor({ timeout: 60_000 });
    await open(page, '/calls');
    await page.getByRole('combobox', { name: 'Assistant' }).fill('recep');
    await page.getByRole('option', { name: 'Reception' }).first().waitFor();
    expect(await page.getByRole('option').count()).toBe(20);
  });
});
