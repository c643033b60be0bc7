import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { type KnowledgeBase, maxPostedBytes } from '../../shared/schemas/knowledge-base.ts';
import type { Client } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';
import { describeConsole, open, test } from './support/console.ts';
import { dropPaths } from './support/drop.ts';
import { holdRequests, isApi, respondBusy } from './support/faults.ts';
import { inspect } from './support/inspect.ts';

const folder = mkdtempSync(join(tmpdir(), 'voice-assistants-uploads-'));
afterAll(() => rmSync(folder, { recursive: true }));

const buildFile = (name: string, content = `All about ${name}`) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});
const choose = (page: Page, ...files: ReturnType<typeof buildFile>[]) =>
  page.locator('input[type=file]').setInputFiles(files);
const getUpload = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Uploads' }).getByRole('listitem').filter({ hasText: name });
const getRow = (page: Page, name: string) => page.getByRole('row', { name });

const listDocuments = async (user: Client) =>
  (await user.get<{ data: { knowledge_bases: KnowledgeBase[] } }>('/assistants/knowledge-base?limit=1000')).body.data
    .knowledge_bases;
const findDocuments = async (user: Client, name: string) =>
  (await listDocuments(user)).filter(({ file_name }) => file_name === name);

const largeText = 'Only hay is here.\n'.repeat(Math.ceil(maxPostedBytes / 18) + 1);

describeConsole('an upload', () => {
  test('that is cancelled stops, and leaves nothing behind', async ({ page, user }) => {
    await open(page, '/knowledge');
    const session = await page.context().newCDPSession(page);
    const slowly = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 };
    await session.send('Network.emulateNetworkConditions', slowly);
    for (const file of [
      buildFile('posted.txt', largeText.slice(0, maxPostedBytes)),
      buildFile('straight.txt', largeText),
    ]) {
      await choose(page, file);
      await getUpload(page, file.name)
        .getByText(/^[1-9]\d?% of/)
        .waitFor();
      await page.getByRole('button', { name: `Cancel the upload of ${file.name}` }).click();
      await getUpload(page, file.name).waitFor({ state: 'detached' });
    }
    await session.send('Network.emulateNetworkConditions', { ...slowly, uploadThroughput: -1 });
    await expect.poll(() => listDocuments(user)).toEqual([]);
  });

  test('reports an error, and creates one document when retried', async ({ page, user }) => {
    await open(page, '/knowledge');
    const writes = (url: URL) => isApi(url) && url.pathname.endsWith('/knowledge-base');
    let fault: 'lost' | 'busy' | undefined = 'lost';
    await page.route(writes, async (route) => {
      if (route.request().method() !== 'POST' || fault === undefined) return route.fallback();
      if (fault === 'busy') return respondBusy(route);
      await route.fetch(); // the request arrives, the response is lost
      return route.abort();
    });
    await choose(page, buildFile('once.txt'));
    const row = getUpload(page, 'once.txt');
    await row.getByText('The service cannot be reached').waitFor();
    await inspect(page, 'upload-failed');
    fault = 'busy';
    await row.getByRole('button', { name: 'Upload once.txt again' }).click();
    await row.getByText('The service has a problem').waitFor();
    fault = undefined;
    await row.getByRole('button', { name: 'Upload once.txt again' }).click();
    await row.waitFor({ state: 'detached' });
    await getRow(page, 'once').getByText('Ready').waitFor();
    expect(await findDocuments(user, 'once.txt')).toHaveLength(1);
  });

  test('of a large file creates one document, whether the API or S3 failed first', async ({ page, user }) => {
    await open(page, '/knowledge');
    const again = () => page.getByRole('button', { name: 'Upload straight-on.txt again' }).click();
    const row = getUpload(page, 'straight-on.txt');
    const isRecord = (url: URL) => isApi(url) && url.pathname.endsWith('/uploads');
    await page.route(isRecord, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await route.fetch(); // the request arrives, the response is lost
      return route.abort();
    });
    await choose(page, buildFile('straight-on.txt', largeText));
    await row.getByText('The service cannot be reached').waitFor();
    await page.unroute(isRecord);

    const isS3 = (url: URL) => !isApi(url) && !url.pathname.startsWith('/console');
    await page.route(isS3, (route) => route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' } }));
    await again();
    await row.getByText('The service has a problem').waitFor();
    expect(await findDocuments(user, 'straight-on.txt')).toEqual([]);
    await page.unroute(isS3);
    await again();
    await row.waitFor({ state: 'detached' });
    await getRow(page, 'straight-on').getByText('Ready').waitFor();
    expect(await findDocuments(user, 'straight-on.txt')).toHaveLength(1);
  });

  test('is not repeated if only attaching failed, unless the document was deleted', async ({ page, user }) => {
    const { id } = (await createAssistant(user)).body;
    await open(page, `/assistants/${id}`);
    let isBroken = true;
    await page.route('**/knowledge-bases/*', (route) => (isBroken ? route.abort() : route.fallback()));
    for (const name of ['half', 'deleted']) await choose(page, buildFile(`${name}.txt`, largeText));
    for (const name of ['half', 'deleted'])
      await getUpload(page, name).getByText('The service cannot be reached').waitFor();
    const [{ id: deleted } = {}] = await findDocuments(user, 'deleted.txt');
    await user.delete(`/assistants/knowledge-base/${deleted}`);
    isBroken = false;
    for (const name of ['half', 'deleted']) {
      await page.getByRole('button', { name: `Upload ${name}.txt again` }).click();
      await page.getByRole('link', { name, exact: true }).waitFor();
      expect(await findDocuments(user, `${name}.txt`)).toHaveLength(1);
    }
  });

  test('is deleted if it is cancelled while being attached', async ({ page, user }) => {
    const { id } = (await createAssistant(user)).body;
    await open(page, `/assistants/${id}`);
    const gate = await holdRequests(page, (request) => request.url().includes('/knowledge-bases/'));
    await choose(page, buildFile('unwanted.txt', largeText));
    await expect.poll(() => gate.count()).toBe(1);
    await page.getByRole('button', { name: 'Cancel the upload of unwanted.txt' }).click();
    await expect.poll(() => findDocuments(user, 'unwanted.txt')).toEqual([]);
    gate.open();
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('Uploaded: unwanted.txt').count()).toBe(0);
  });

  test('reports a missing file, not a network error', async ({ page }) => {
    await open(page, '/knowledge');
    const path = join(folder, 'short-lived.txt');
    writeFileSync(path, 'x');
    await page.route(isApi, (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
    await dropPaths(page, 'Drop documents here', [path]);
    await getUpload(page, 'short-lived').getByText('The service cannot be reached').waitFor();
    rmSync(path);
    await page.getByRole('button', { name: 'Upload short-lived.txt again' }).click();
    await getUpload(page, 'short-lived').getByText('The file cannot be read any more').waitFor();
    await page.getByRole('button', { name: 'Cancel the upload of short-lived.txt' }).click();
  });

  test('continues on other pages with its progress, and asks before the tab closes', async ({ page, user }) => {
    await open(page, '/knowledge');
    const gate = await holdRequests(page, (request) => request.method() === 'POST');
    await choose(page, buildFile('background.txt'));
    await getUpload(page, 'background.txt').waitFor();
    await page.getByRole('link', { name: 'Calls' }).click();
    await page.getByRole('heading', { name: 'Calls' }).waitFor();
    await page.getByRole('link', { name: '1 upload under way' }).waitFor();
    await inspect(page, 'upload-elsewhere');

    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();

    gate.open();
    await page.getByText('1 upload under way').waitFor({ state: 'detached' });
    expect(await findDocuments(user, 'background.txt')).toHaveLength(1);
    await page.evaluate(() => location.reload());
    await page.getByRole('heading', { name: 'Calls' }).waitFor();
  });
});

describeConsole('files that are chosen or dropped', () => {
  test('may include the same file twice', async ({ page, user }) => {
    await open(page, '/knowledge');
    const path = join(folder, 'twice.txt');
    writeFileSync(path, 'The same, twice.');
    for (const times of [1, 2]) {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose files' }).click();
      await (await chooser).setFiles(path);
      await expect.poll(async () => (await findDocuments(user, 'twice.txt')).length).toBe(times);
    }
    // Browsers fire no change event if the field still holds the same file.
    await expect
      .poll(() => page.locator('input[type=file]').evaluate((input: HTMLInputElement) => input.files?.length))
      .toBe(0);
  });

  test('are rejected with a reason if empty or a folder; a name of 300 characters is accepted', async ({
    page,
    user,
  }) => {
    await open(page, '/knowledge');
    const [dossier, empty] = [join(folder, 'Dossier'), join(folder, 'empty.txt')];
    mkdirSync(dossier);
    writeFileSync(empty, '');
    writeFileSync(join(folder, 'beside.txt'), 'This one is good.');
    let posts = 0;
    page.on('request', (request) => (posts += request.method() === 'POST' ? 1 : 0));
    await dropPaths(page, 'Drop documents here', [dossier, empty]);
    await page.getByText('Dossier is a folder. Open it, and drop the files in it.').waitFor();
    await page.getByText('empty.txt is empty').waitFor();
    expect(posts).toBe(0);
    await dropPaths(page, 'Drop documents here', [join(folder, 'beside.txt')]);
    await getRow(page, 'beside').waitFor();
    await page.getByText('Dossier is a folder').waitFor({ state: 'detached' });

    const long = `${'Ä'.repeat(296)}.txt`;
    await choose(page, buildFile(long));
    await getRow(page, 'ÄÄÄ').getByText('Ready').waitFor();
    expect((await listDocuments(user))[0]?.file_name).toBe(long);
    await inspect(page, 'upload-long-name');
  });

  test('do not replace the page if dropped outside the area', async ({ page }) => {
    await open(page, '/knowledge');
    const path = join(folder, 'astray.txt');
    writeFileSync(path, 'x');
    await dropPaths(page, 'Documents that your assistants look things up in', [path]);
    await page.getByRole('link', { name: 'Calls' }).click();
    await page.getByRole('heading', { name: 'Calls' }).waitFor();
  });

  test('may be thirty together; three upload at a time', async ({ page, user }) => {
    await open(page, '/knowledge');
    let [now, most] = [0, 0];
    await page.route(isApi, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      most = Math.max(most, ++now);
      const response = await route.fetch();
      now -= 1;
      return route.fulfill({ response });
    });
    const before = (await listDocuments(user)).length;
    const files = Array.from({ length: 30 }, (_, index) => buildFile(`many-${index}.txt`));
    await choose(page, ...files);
    await page.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'detached' });
    expect(most).toBe(3);
    expect(await listDocuments(user)).toHaveLength(before + 30);
    expect((await listDocuments(user)).filter(({ file_name }) => file_name.startsWith('many-'))).toHaveLength(30);
  });
});
