import { expect } from 'vitest';
import { runInParallel } from '../../infra/commands/data/in-parallel.ts';
import { createAssistant } from '../support/assistants.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
import { inspect } from './support/inspect.ts';

describeConsole('activity', () => {
  test('shows who changed what, opens an event, and filters by type, thing and day', async ({ page, user }) => {
    const { id } = (await createAssistant(user, { name: 'Empfang <b>Köln</b>' })).body;
    await user.put(`/assistants/${id}`, { voice: { language: 'de' } });
    await user.post('/user-credentials', { service_type: 'openai', name: 'main', api_key: 'sk-0123456789abcd' });
    await open(page, '/');
    await page.getByRole('link', { name: 'Activity' }).click();
    const rows = page.getByRole('table').getByRole('row');
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByRole('row', { name: /Assistant changed.*voice\.language/ }).waitFor();
    await page.getByRole('button', { name: 'Credential saved' }).click();
    await page.getByText('"service_type": "openai"').waitFor();
    await inspect(page, 'activity-open');

    await page.getByLabel('About').selectOption('Credentials');
    await page.waitForURL(`${consoleUrl}/activity?about=credential`);
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('From').fill('2030-01-01');
    await page.getByText('No activity matches').waitFor();

    await open(page, `/assistants/${id}`);
    await page.getByRole('link', { name: 'Show its history' }).click();
    await page.waitForURL(`${consoleUrl}/activity?subject=${id}`);
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByTitle('Show all things').click();
    await expect.poll(() => rows.count()).toBe(4);
  });

  test('loads a long list page by page, and fits it at every width', async ({ page, user }) => {
    const numbers = Array.from({ length: 210 }, (_, i) => i);
    await runInParallel(numbers, 10, async (i) => {
      await createAssistant(user, { name: `Linie ${i} 受付 ${'x'.repeat(i % 90)}` });
    });
    const { body } = await user.get<{ data: { events: object[] } }>('/logs/audit?limit=1000');
    await open(page, '/activity');
    await expect
      .poll(async () => {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
        return page.getByRole('table').getAttribute('aria-rowcount');
      })
      .toBe(String(body.data.events.length + 1));
    for (const width of [390, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const widths = await page.getByRole('columnheader').evaluateAll((cells) => cells.map((cell) => cell.clientWidth));
      const table = await page.getByRole('table').evaluate((one) => one.clientWidth);
      expect(Math.abs(widths.reduce((sum, one) => sum + one, 0) - table)).toBeLessThan(5);
      expect(widths[0]).toBeGreaterThan(table * 0.4);
    }
  });
});
