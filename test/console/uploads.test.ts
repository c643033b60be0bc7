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
import { answerBusy, hold, isApi } from './support/faults.ts';
import { inspect } from './support/inspect.ts';

const folder = mkdtempSync(join(tmpdir(), 'voice-assistants-uploads-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (name: string, content = `All about ${name}`) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});
const choose = (page: Page, ...files: ReturnType<typeof fileOf>[]) =>
  page.locator('input[type=file]').setInputFiles(files);
const onTheWay = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Uploads' }).getByRole('listitem').filter({ hasText: name });
const rowOf = (page: Page, name: string) => page.getByRole('row', { name });

const listOf = async (user: Client) =>
  (await user.get<{ data: { knowledge_bases: KnowledgeBase[] } }>('/assistants/knowledge-base?limit=1000')).body.data
    .knowledge_bases;
const named = async (user: Client, name: string) => (await listOf(user)).filter(({ file_name }) => file_name === name);

const large = 'Only hay is here.\n'.repeat(Math.ceil(maxPostedBytes / 18) + 1);

describeConsole('an upload', () => {
  test('that is cancelled stops, and leaves nothing behind', async ({ page, user }) => {
    await open(page, '/knowledge');
    const session = await page.context().newCDPSession(page);
    const slowly = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 };
    await session.send('Network.emulateNetworkConditions', slowly);
    for (const file of [fileOf('posted.txt', large.slice(0, maxPostedBytes)), fileOf('straight.txt', large)]) {
      await choose(page, file);
      await onTheWay(page, file.name)
        .getByText(/^[1-9]\d?% of/)
        .waitFor();
      await page.getByRole('button', { name: `Cancel the upload of ${file.name}` }).click();
      await onTheWay(page, file.name).waitFor({ state: 'detached' });
    }
    await session.send('Network.emulateNetworkConditions', { ...slowly, uploadThroughput: -1 });
    await expect.poll(() => listOf(user)).toEqual([]);
  });

  test('that met a fault says so, and is made once when it is tried again', async ({ page, user }) => {
    await open(page, '/knowledge');
    const writes = (url: URL) => isApi(url) && url.pathname.endsWith('/knowledge-base');
    let fault: 'lost' | 'busy' | undefined = 'lost';
    await page.route(writes, async (route) => {
      if (route.request().method() !== 'POST' || fault === undefined) return route.fallback();
      if (fault === 'busy') return answerBusy(route);
      await route.fetch(); // it arrives, and the answer is lost
      return route.abort();
    });
    await choose(page, fileOf('once.txt'));
    const row = onTheWay(page, 'once.txt');
    await row.getByText('The service cannot be reached').waitFor();
    await inspect(page, 'upload-failed');
    fault = 'busy';
    await row.getByRole('button', { name: 'Upload once.txt again' }).click();
    await row.getByText('The service has a problem').waitFor();
    fault = undefined;
    await row.getByRole('button', { name: 'Upload once.txt again' }).click();
    await row.waitFor({ state: 'detached' });
    await rowOf(page, 'once').getByText('Ready').waitFor();
    expect(await named(user, 'once.txt')).toHaveLength(1);
  });

  test('of a large file is made once, too, whether the service or S3 failed first', async ({ page, user }) => {
    await open(page, '/knowledge');
    const again = () => page.getByRole('button', { name: 'Upload straight-on.txt again' }).click();
    const row = onTheWay(page, 'straight-on.txt');
    const isRecord = (url: URL) => isApi(url) && url.pathname.endsWith('/uploads');
    await page.route(isRecord, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await route.fetch(); // it arrives, and the answer is lost
      return route.abort();
    });
    await choose(page, fileOf('straight-on.txt', large));
    await row.getByText('The service cannot be reached').waitFor();
    await page.unroute(isRecord);

    const isS3 = (url: URL) => !isApi(url) && !url.pathname.startsWith('/console');
    await page.route(isS3, (route) => route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' } }));
    await again();
    await row.getByText('The service has a problem').waitFor();
    expect(await named(user, 'straight-on.txt')).toEqual([]);
    await page.unroute(isS3);
    await again();
    await row.waitFor({ state: 'detached' });
    await rowOf(page, 'straight-on').getByText('Ready').waitFor();
    expect(await named(user, 'straight-on.txt')).toHaveLength(1);
  });

  test('to an assistant of which only the attaching failed is not sent again, unless it was deleted', async ({
    page,
    user,
  }) => {
    const { id } = (await createAssistant(user)).body;
    await open(page, `/assistants/${id}`);
    let isBroken = true;
    await page.route('**/knowledge-bases/*', (route) => (isBroken ? route.abort() : route.fallback()));
    for (const name of ['half', 'deleted']) await choose(page, fileOf(`${name}.txt`, large));
    for (const name of ['half', 'deleted'])
      await onTheWay(page, name).getByText('The service cannot be reached').waitFor();
    const [{ id: deleted } = {}] = await named(user, 'deleted.txt');
    await user.delete(`/assistants/knowledge-base/${deleted}`);
    isBroken = false;
    for (const name of ['half', 'deleted']) {
      await page.getByRole('button', { name: `Upload ${name}.txt again` }).click();
      await page.getByRole('link', { name, exact: true }).waitFor();
      expect(await named(user, `${name}.txt`)).toHaveLength(1);
    }
  });

  test('that is cancelled while it is being attached is deleted', async ({ page, user }) => {
    const { id } = (await createAssistant(user)).body;
    await open(page, `/assistants/${id}`);
    const gate = await hold(page, (request) => request.url().includes('/knowledge-bases/'));
    await choose(page, fileOf('unwanted.txt', large));
    await expect.poll(() => gate.count()).toBe(1);
    await page.getByRole('button', { name: 'Cancel the upload of unwanted.txt' }).click();
    await expect.poll(() => named(user, 'unwanted.txt')).toEqual([]);
    gate.open();
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('Uploaded: unwanted.txt').count()).toBe(0);
  });

  test('of a file that is gone meanwhile says that, and not that the network is', async ({ page }) => {
    await open(page, '/knowledge');
    const path = join(folder, 'short-lived.txt');
    writeFileSync(path, 'x');
    await page.route(isApi, (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
    await dropPaths(page, 'Drop documents here', [path]);
    await onTheWay(page, 'short-lived').getByText('The service cannot be reached').waitFor();
    rmSync(path);
    await page.getByRole('button', { name: 'Upload short-lived.txt again' }).click();
    await onTheWay(page, 'short-lived').getByText('The file cannot be read any more').waitFor();
    await page.getByRole('button', { name: 'Cancel the upload of short-lived.txt' }).click();
  });

  test('goes on while one looks at other pages, where it is seen, and is kept from being lost', async ({
    page,
    user,
  }) => {
    await open(page, '/knowledge');
    const gate = await hold(page, (request) => request.method() === 'POST');
    await choose(page, fileOf('background.txt'));
    await onTheWay(page, 'background.txt').waitFor();
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
    expect(await named(user, 'background.txt')).toHaveLength(1);
    await page.evaluate(() => location.reload());
    await page.getByRole('heading', { name: 'Calls' }).waitFor();
  });
});

describeConsole('what is chosen or dropped', () => {
  test('may be the same file twice', async ({ page, user }) => {
    await open(page, '/knowledge');
    const path = join(folder, 'twice.txt');
    writeFileSync(path, 'The same, twice.');
    for (const times of [1, 2]) {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose files' }).click();
      await (await chooser).setFiles(path);
      await expect.poll(async () => (await named(user, 'twice.txt')).length).toBe(times);
    }
    // A browser tells of no change where the same file is chosen that the field still holds.
    await expect
      .poll(() => page.locator('input[type=file]').evaluate((input: HTMLInputElement) => input.files?.length))
      .toBe(0);
  });

  test('is refused in words: a folder, an empty file; a name of 300 characters is not', async ({ page, user }) => {
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
    await rowOf(page, 'beside').waitFor();
    await page.getByText('Dossier is a folder').waitFor({ state: 'detached' });

    const long = `${'Ä'.repeat(296)}.txt`;
    await choose(page, fileOf(long));
    await rowOf(page, 'ÄÄÄ').getByText('Ready').waitFor();
    expect((await listOf(user))[0]?.file_name).toBe(long);
    await inspect(page, 'upload-long-name');
  });

  test('does not replace the page where it is dropped beside the area', async ({ page }) => {
    await open(page, '/knowledge');
    const path = join(folder, 'astray.txt');
    writeFileSync(path, 'x');
    await dropPaths(page, 'Documents that your assistants look things up in', [path]);
    await page.getByRole('link', { name: 'Calls' }).click();
    await page.getByRole('heading', { name: 'Calls' }).waitFor();
  });

  test('may be thirty files at once, of which three are sent at a time', async ({ page, user }) => {
    await open(page, '/knowledge');
    let [now, most] = [0, 0];
    await page.route(isApi, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      most = Math.max(most, ++now);
      const response = await route.fetch();
      now -= 1;
      return route.fulfill({ response });
    });
    const before = (await listOf(user)).length;
    const files = Array.from({ length: 30 }, (_, index) => fileOf(`many-${index}.txt`));
    await choose(page, ...files);
    await page.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'detached', timeout: 60_000 });
    expect(most).toBe(3);
    expect(await listOf(user)).toHaveLength(before + 30);
    expect((await listOf(user)).filter(({ file_name }) => file_name.startsWith('many-'))).toHaveLength(30);
  });
});
