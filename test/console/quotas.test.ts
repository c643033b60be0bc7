import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { createClient } from '../support/api.ts';
import { buildForm, postForm } from '../support/knowledge-bases.ts';
import { startQuotaHost } from '../support/quota-host.ts';
import { describeConsole, open, test } from './support/console.ts';
import { inspect } from './support/inspect.ts';

describeConsole('limits', () => {
  let host: Awaited<ReturnType<typeof startQuotaHost>>;
  beforeAll(async () => {
    const free = { completions: 1_000, search_answers: 0, uploads: 5 };
    host = await startQuotaHost({ defaultTier: 'free', tiers: { free } });
  });
  afterAll(() => host?.stop());

  /** Returns the text about one limit. */
  const read = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name }).innerText();

  test('are shown with what is used, and a note from 80 % on', async ({ page, user }) => {
    // The API with limits answers who the user is and what they may do, the other one everything else.
    await page.route(`${user.baseUrl}/protected`, async (route) =>
      route.fulfill({ response: await route.fetch({ url: `${host.url}/protected` }) }),
    );
    const client = createClient(user.sub, user.token, host.url);
    const upload = async () => (await postForm(client, '/assistants/knowledge-base', buildForm('Text'))).status;
    for (let count = 0; count < 3; count++) expect(await upload()).toBe(200);
    await open(page, '/overview');
    await page.getByRole('heading', { name: 'Limits of today' }).waitFor();
    expect(await read(page, 'Uploads')).toMatch(/^Uploads\s+3 of 5$/);
    expect(await read(page, 'Answers in text')).toMatch(/^Answers in text\s+0 of 1,000$/);

    expect(await upload()).toBe(200);
    await page.reload();
    await page.getByText('4 of 5').waitFor();
    expect(await read(page, 'Uploads')).toMatch(/Nearly used up\. Starts anew in \d+ (hours?|minutes?)/);

    expect(await upload()).toBe(200);
    expect(await upload()).toBe(429);
    await page.reload();
    await page.getByText('5 of 5').waitFor();
    expect(await read(page, 'Uploads')).toContain('Used up: further requests are refused.');
    await inspect(page, 'limits');
  });

  test('take no room where there are none', async ({ page }) => {
    await open(page, '/overview');
    await page.getByText('No calls in this period').waitFor();
    expect(await page.getByText('Limits of today').count()).toBe(0);
  });
});
