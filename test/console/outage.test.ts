import type { BrowserContext, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { createAssistant } from '../support/assistants.ts';
import { drawSample } from '../support/sample.ts';
import { type Clinic, test } from './support/clinic.ts';
import { consoleUrl, describeConsole, open } from './support/console.ts';
import { holdRequests, isApi, respondBusy } from './support/faults.ts';
import { expectAccessible, inspect } from './support/inspect.ts';
import { pages } from './support/pages.ts';

const retry = (page: Page) => page.getByRole('button', { name: 'Try again' }).click();
const main = (page: Page) => page.getByRole('main');
const loading = (page: Page) => main(page).getByText('Loading', { exact: true });

/** Visits pages that read from the API. A failure names the page. */
async function visitPages(
  context: BrowserContext,
  clinic: Clinic,
  visit: (page: Page, path: string, shows: string) => Promise<void>,
): Promise<void> {
  const sampled = drawSample(pages, 4, ({ title }) => title);
  for (const { title, path, shows } of sampled) {
    if (!shows) continue;
    const page = await context.newPage();
    await visit(page, path(clinic), shows).catch((cause) => {
      throw new Error(`${title}: ${cause.message}`, { cause });
    });
    await page.close();
  }
}

describeConsole('an unreachable service', () => {
  test('is reported on each page, which recovers when the service is back', async ({ context, clinic }) => {
    // A fake clock skips the waits between retries.
    await context.clock.install();
    await visitPages(context, clinic, async (page, path, shows) => {
      let fault: 'silent' | 'busy' | undefined = 'silent';
      await page.route(isApi, (route) => {
        if (fault === 'silent') return route.abort();
        return fault === 'busy' ? respondBusy(route) : route.fallback();
      });
      await open(page, path);
      await page.getByText('The service cannot be reached. Retrying …').waitFor();
      const given = main(page).getByRole('alert').getByText('Check your connection, then try again.');
      await expect
        .poll(async () => {
          await page.clock.fastForward(4_000);
          return given.first().isVisible();
        })
        .toBe(true);
      await expect.poll(() => loading(page).count()).toBe(0);
      await expectAccessible(page);

      fault = 'busy';
      await retry(page);
      await main(page).getByRole('alert').getByText('busy-1').waitFor();
      fault = undefined;
      await retry(page);
      await main(page).getByText(shows).first().waitFor();
      expect(await main(page).getByRole('alert').count()).toBe(0);
    });
  });

  test('is not retried beyond a reasonable wait', async ({ page }) => {
    await page.route(isApi, (route) => respondBusy(route, 120));
    await open(page, '/keys');
    await page.getByRole('alert').getByText('busy-1').waitFor();
    await inspect(page, 'service-busy');
  });

  test('is retried by a lookup field on focus', async ({ page, user }) => {
    await createAssistant(user, { name: 'Found again' });
    await page.route(isApi, (route) => route.abort());
    await open(page, '/calls');
    const picker = page.getByRole('combobox', { name: 'Assistant' });
    await page.getByText('The service cannot be reached', { exact: true }).first().waitFor();
    await expect.poll(() => picker.getAttribute('aria-invalid')).toBe('true');
    await page.unroute(isApi);
    await picker.click();
    await page.getByRole('option', { name: 'Found again' }).waitFor();
    await expect.poll(() => picker.getAttribute('aria-invalid')).toBeNull();
  });

  test('is reported when offline, and the page loads afterwards', async ({ page, context }) => {
    await open(page, '/');
    // The page's code has loaded, its data has not.
    const pending = new Set<Request>();
    page.on('request', (request) => pending.add(request));
    const end = (request: Request) => pending.delete(request);
    page.on('requestfinished', end).on('requestfailed', end);
    const isAsked = Promise.all([
      page.waitForRequest('**/assets/list-page-*.js'),
      page.waitForRequest('**/assets/upload-indicator-*.js'),
    ]);
    await page.getByRole('link', { name: 'Knowledge' }).hover();
    // The first interaction loads the indicator of uploads.
    await page.keyboard.press('Shift');
    await isAsked;
    await expect.poll(() => pending.size).toBe(0);
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Knowledge' }).click();
    await page.getByText('This loads as soon as you are online again.').waitFor();
    await context.setOffline(false);
    await page.getByText('This loads as soon as you are online again.').waitFor({ state: 'detached' });
  });
});

describeConsole('a slow service', () => {
  test('is indicated on each page', async ({ context, clinic }) => {
    await visitPages(context, clinic, async (page, path, shows) => {
      const gate = await holdRequests(page, () => true);
      await open(page, path);
      await loading(page).first().waitFor();
      await expectAccessible(page);
      gate.open();
      await main(page).getByText(shows).first().waitFor();
      await expect.poll(() => loading(page).count()).toBe(0);
    });
  });

  test('creates one assistant despite repeated clicks', async ({ page, user }) => {
    await open(page, '/assistants/new');
    const gate = await holdRequests(page, (request) => request.method() === 'POST');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Pressed often');
    await page.getByRole('textbox', { name: 'System instruction' }).fill('x');
    const create = page.getByRole('button', { name: 'Create' });
    await create.dblclick({ force: true });
    for (const _ of [1, 2, 3]) await page.keyboard.press('Control+S');
    await expect.poll(() => create.isDisabled()).toBe(true);
    await expect.poll(() => gate.count()).toBe(1);
    gate.open();
    await page.getByRole('heading', { level: 1, name: 'Pressed often' }).waitFor();
    const { body } = await user.get<Assistant[]>('/assistants?name=Pressed%20often');
    expect(body).toHaveLength(1);
  });

  test('gets one request from a dialog despite repeated Enter, and the dialog shows the error', async ({
    page,
    user,
  }) => {
    const { id } = (await createAssistant(user, { name: 'Doomed' })).body;
    await open(page, `/assistants/${id}`);
    const gate = await holdRequests(page, (request) => ['POST', 'DELETE'].includes(request.method()));
    await page.getByRole('button', { name: 'Delete' }).click();
    const confirm = page.getByRole('textbox', { name: 'to confirm' });
    await confirm.fill('Doomed');
    for (const _ of [1, 2, 3]) await confirm.press('Enter');
    await expect.poll(() => page.getByRole('dialog').getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await expect.poll(() => gate.count()).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => confirm.isVisible()).toBe(true);
    gate.open();
    await page.getByText('Assistant deleted').waitFor();
    expect(gate.count()).toBe(1);

    await open(page, '/credentials');
    let isBusy = true;
    await page.route(isApi, (route) =>
      isBusy && route.request().method() === 'POST' ? respondBusy(route) : route.fallback(),
    );
    const second = await holdRequests(page, (request) => request.method() === 'POST');
    await page.getByRole('button', { name: 'Add a credential' }).first().click();
    await page.getByRole('combobox', { name: 'Service' }).fill('deepgram');
    const key = page.getByRole('textbox', { name: 'Key' });
    await key.fill('dg-something-long');
    for (const _ of [1, 2, 3]) await key.press('Enter');
    await expect.poll(() => second.count()).toBe(1);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    second.open();
    await page.getByRole('dialog').getByRole('alert').getByText('busy-1').waitFor();
    isBusy = false;
    await key.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'deepgram' }).waitFor();
    expect(second.count()).toBe(2);
  });

  test('shows the results of the last search only', async ({ page, user }) => {
    for (const name of ['Alpha', 'Alphabet']) await createAssistant(user, { name });
    await open(page, '/assistants');
    const waits = new Map<string, () => void>();
    await page.route(isApi, async (route) => {
      const name = new URL(route.request().url()).searchParams.get('name');
      if (name !== null) await new Promise<void>((resolve) => waits.set(name, resolve));
      await route.fallback().catch(() => undefined);
    });
    const field = page.getByRole('searchbox', { name: 'Search by name' });
    await field.fill('Alpha');
    await expect.poll(() => [...waits.keys()]).toEqual(['Alpha']);
    await field.fill('Alphabet');
    await expect.poll(() => [...waits.keys()]).toEqual(['Alpha', 'Alphabet']);
    waits.get('Alphabet')?.();
    await page.getByRole('link', { name: 'Alpha', exact: true }).waitFor({ state: 'detached' });
    waits.get('Alpha')?.();
    await page.waitForLoadState('networkidle');
    await expect.poll(() => page.getByRole('row').allInnerTexts()).toHaveLength(2);
    await expect.poll(() => field.inputValue()).toBe('Alphabet');
    await expect.poll(() => page.url()).toBe(`${consoleUrl}/assistants?name=Alphabet`);
    await page.getByRole('link', { name: 'Assistants', exact: true }).click();
    await page.getByRole('link', { name: 'Alpha', exact: true }).waitFor();
    await expect.poll(() => field.inputValue()).toBe('');
  });

  test('keeps the cursor in a filter field', async ({ page, user }) => {
    const { id } = (await createAssistant(user)).body;
    await user.post('/logs/call-logs', { assistant_id: id, room_name: 'front-desk', transcript: [] });
    await open(page, '/calls');
    await page.getByRole('searchbox', { name: 'Find' }).click();
    await page.keyboard.type('front');
    await page.waitForURL(`${consoleUrl}/calls?find=front`);
    await page.keyboard.type('-desk');
    await page.waitForURL(`${consoleUrl}/calls?find=front-desk`);
    await expect.poll(() => page.getByRole('searchbox', { name: 'Find' }).inputValue()).toBe('front-desk');
  });
});
