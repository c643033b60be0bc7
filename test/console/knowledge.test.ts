import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { maxPostedBytes } from '../../shared/schemas/knowledge-base.ts';
import { createAssistant } from '../support/assistants.ts';
import { encodeAs } from '../support/encodings.ts';
import { upload, uploadAndWait, waitUntilParsed } from '../support/knowledge-bases.ts';
import { describeConsole, open, test } from './support/console.ts';
import { isApi } from './support/faults.ts';
import { inspect } from './support/inspect.ts';

const markup = '<img src=x onerror="document.title = 1">';

const file = (name: string, content: string | Buffer, mimeType = 'text/markdown') => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});

/** Drops a file of a size and a media type, filled with zeros. */
const dropFile = (page: Page, name: string, type: string, bytes: number) =>
  page.getByText('Drop documents here').evaluate(
    (target, [name, type, bytes]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
      for (const event of ['dragover', 'drop'])
        target.dispatchEvent(new DragEvent(event, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, type, bytes] as const,
  );

const getRow = (page: Page, name: string) => page.getByRole('row', { name });

describeConsole('knowledge', () => {
  test('is uploaded, parsed, attached, searched and deleted', async ({ page, user }) => {
    await createAssistant(user, { name: `Reception ${markup}` });
    await open(page, '/knowledge');
    await page.getByText('No documents yet').waitFor();
    await inspect(page, 'knowledge-none');

    const hours = `# Opening hours\n\nOn Saturdays we open at nine. ${markup}\n\nWe close at noon.`;
    await page.locator('input[type=file]').setInputFiles([file(`hours ${markup}.md`, hours)]);
    await getRow(page, 'hours').getByText('Ready').waitFor();
    await page.getByRole('link', { name: 'hours' }).click();
    await page.getByRole('heading', { name: `hours ${markup}` }).waitFor();

    await page.getByRole('combobox', { name: 'Attach to an assistant' }).fill('recep');
    await page.getByRole('option', { name: 'Reception' }).click();
    await page.getByRole('link', { name: `Reception ${markup}` }).waitFor();
    await page.getByRole('textbox', { name: 'What a caller might ask' }).fill('When do you open on saturday?');
    await page.keyboard.press('Enter');
    const passage = page.getByRole('article');
    await passage.waitFor();
    await expect.poll(() => passage.locator('mark').allInnerTexts()).toEqual(['Opening', 'Saturdays', 'open']);
    await expect.poll(() => passage.innerText()).toContain(markup);
    await inspect(page, 'knowledge-one');

    // On the assistant's page, an upload is attached immediately, next to unsaved edits.
    await page.getByRole('link', { name: `Reception ${markup}` }).click();
    await page.getByRole('textbox', { name: 'Description' }).fill('Not saved yet');
    await page.locator('input[type=file]').setInputFiles([file('prices.md', 'A check-up costs 40 euros.')]);
    const attached = page.getByRole('listitem').filter({ hasText: 'prices' });
    await attached.getByText('Ready').waitFor();
    let detached = 0;
    page.on('request', (request) => (detached += request.method() === 'DELETE' ? 1 : 0));
    await attached.getByRole('button', { name: 'Detach prices' }).dblclick();
    await attached.waitFor({ state: 'detached' });
    expect(detached).toBe(1);
    await page.getByRole('combobox', { name: 'Attach a document' }).fill('price');
    await page.getByRole('option', { name: 'prices' }).click();
    await attached.waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('Not saved yet');
    await inspect(page, 'assistant-knowledge');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('link', { name: `hours ${markup}` }).click();

    // The dialog says that it is in use, and detaches it first.
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('One assistant uses it').waitFor();
    await page.getByRole('textbox', { name: 'to confirm' }).fill(`hours ${markup}`);
    await page.getByRole('button', { name: 'Detach and delete' }).click();
    await getRow(page, 'hours').waitFor({ state: 'detached' });
    await getRow(page, 'prices').waitFor();
    await expect.poll(() => page.title()).toBe('Knowledge · Voice assistants');
  });

  test('shows why a document failed or was rejected, and uploads a large one directly to S3', async ({ page }) => {
    await open(page, '/knowledge');
    const requests: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && requests.push(request.url()));
    await dropFile(page, 'huge.pdf', 'application/pdf', 60_000_000);
    await page.getByText('huge.pdf is too large: it is 60 MB; the limit is 50 MB').waitFor();
    await dropFile(page, 'song.mp3', 'audio/mpeg', 1_000);
    await page.getByText('song.mp3 is of a kind that cannot be read').waitFor();
    expect(requests).toEqual([]);

    await page.locator('input[type=file]').setInputFiles([file('broken.pdf', '%PDF-1.7 nonsense', 'application/pdf')]);
    await getRow(page, 'broken').getByText('The file is damaged').waitFor();
    const large = 'There is a needle in this haystack.\n'.padEnd(maxPostedBytes + 1, 'Only hay is here.\n');
    await page.locator('input[type=file]').setInputFiles([file('large.txt', large, 'text/plain')]);
    await getRow(page, 'large').getByText('Ready').waitFor();
    expect(requests.map((url) => new URL(url).pathname)).toEqual([
      '/assistants/knowledge-base',
      '/assistants/knowledge-base/uploads',
      expect.stringContaining('storagefiles'),
    ]);
    await inspect(page, 'knowledge');

    await page.getByRole('link', { name: 'broken' }).click();
    await page.getByText('The document could not be read').waitFor();
    await page.getByText('No assistant can look anything up in a document that failed.').waitFor();
    expect(await page.getByRole('combobox', { name: 'Attach to an assistant' }).count()).toBe(0);
    await inspect(page, 'knowledge-failed');
  });

  test('shows what may have gone wrong with a document that is ready', async ({ page, user }) => {
    const { id } = await uploadAndWait(user, encodeAs('windows-1251', 'Магазин открыт с девяти часов.'), 'hours.txt');
    await open(page, `/knowledge/${id}`);
    await page.getByRole('alert').getByText('was read as windows-1251').waitFor();
    await inspect(page, 'knowledge-warning');
    await open(page, '/knowledge');
    await getRow(page, 'hours').getByText('was read as windows-1251').waitFor();
  });

  test('disappears from its page when it is deleted elsewhere, and is not polled any more', async ({ page, user }) => {
    const awaited = { file_name: 'awaited.txt', content_type: 'text/plain', size_bytes: 1 };
    const { body } = await user.post<{ data: { knowledge_base: { id: string } } }>(
      '/assistants/knowledge-base/uploads',
      awaited,
    );
    const { id } = body.data.knowledge_base;
    await page.clock.install();
    await open(page, `/knowledge/${id}`);
    await page.getByRole('heading', { name: 'awaited' }).waitFor();
    await user.delete(`/assistants/knowledge-base/${id}`);
    await page.getByText('It may have been deleted').waitFor();
    let asked = 0;
    page.on('request', (request) => (asked += isApi(new URL(request.url())) ? 1 : 0));
    await page.clock.fastForward(30_000);
    await page.waitForLoadState('networkidle');
    expect(asked).toBe(0);
  });

  test('is listed if it was cancelled too late', async ({ page }) => {
    await open(page, '/knowledge');
    const { promise: isTakenIn, resolve: takeIn } = Promise.withResolvers<void>();
    await page.route('**/assistants/knowledge-base', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      takeIn();
    });
    await page.locator('input[type=file]').setInputFiles([file('late.md', 'Too late to cancel.')]);
    await isTakenIn;
    await page.getByRole('button', { name: 'Cancel the upload of late.md' }).click();
    await getRow(page, 'late').waitFor();
  });

  test('accepts a file again, and ignores a file dropped outside the area', async ({ page }) => {
    await open(page, '/knowledge');
    const input = page.locator('input[type=file]');
    await input.setInputFiles([file('empty.txt', '')]);
    await page.getByText('empty.txt is empty').waitFor();
    await expect.poll(() => input.inputValue()).toBe('');

    const isLeftToBrowser = (type: string, isFile: boolean) =>
      page.getByRole('heading', { level: 1 }).evaluate(
        (target, [type, isFile]) => {
          const dataTransfer = new DataTransfer();
          if (isFile) dataTransfer.items.add(new File(['x'], 'x.txt'));
          else dataTransfer.items.add('x', 'text/plain');
          return target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
        },
        [type, isFile] as const,
      );
    expect(await isLeftToBrowser('dragover', true)).toBe(false);
    expect(await isLeftToBrowser('drop', true)).toBe(false);
    expect(await isLeftToBrowser('drop', false)).toBe(true);
  });

  test('has the status that the assistant reports, and the reason of a failure', async ({ page, user }) => {
    const { id } = (await createAssistant(user)).body;
    const path = `/assistants/${id}/knowledge-base`;
    const [good, broken] = [
      (await upload(user, 'Good', 'good.txt', { path })).body.data,
      (await upload(user, '%PDF-1.7 nonsense', 'broken.pdf', { path })).body.data,
    ];
    await expect
      .poll(async () => (await user.get<{ data: object }>(`/assistants/knowledge-base/${broken.id}`)).body.data)
      .toMatchObject({ status: 'failed' });

    // Reads of the document stay stale.
    let isRead = false;
    await page.route(`${user.baseUrl}/assistants/${id}`, async (route) => {
      const response = await route.fetch();
      const assistant = await response.json();
      if (!isRead)
        assistant.attached_knowledge_bases.find((one: { id: string }) => one.id === good.id).status = 'processing';
      await route.fulfill({ response, json: assistant });
    });
    await page.route(`${user.baseUrl}/assistants/knowledge-base/${good.id}`, async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      await route.fulfill({ response, json: { ...rest, data: { ...data, status: 'processing' } } });
    });
    const isFollowed = page.waitForResponse(`${user.baseUrl}/assistants/knowledge-base/${good.id}`);
    await open(page, `/assistants/${id}`);
    await isFollowed;
    const attached = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await attached('good').getByText('Reading').waitFor();
    await attached('broken').getByText('The file is damaged').waitFor();
    isRead = true;
    // Another tab was faster.
    await user.delete(`/assistants/${id}/knowledge-bases/${broken.id}`);
    await attached('broken').getByRole('button', { name: 'Detach broken' }).click();
    await attached('good').getByText('Ready').waitFor();
  });

  test('is searched again on request, and once a document has been parsed', async ({ page, user }) => {
    const { id } = (await createAssistant(user)).body;
    const path = `/assistants/${id}/knowledge-base`;
    const attach = async (content: string) =>
      waitUntilParsed(user, (await upload(user, content, 'x.txt', { path })).body.data.id);
    const hours = await attach('We open at nine.');
    let isRead = false;
    await page.route(`${user.baseUrl}/assistants/knowledge-base/${hours.id}`, async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      await route.fulfill({ response, json: { data: isRead ? data : { ...data, status: 'processing' } } });
    });
    await open(page, `/knowledge/${hours.id}`);
    await page.getByRole('textbox', { name: 'What a caller might ask' }).fill('Where can I park?');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No passage shares a word').waitFor();
    await attach('Parking is free behind the house.');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('article').getByText('behind the house').waitFor();

    const isAskedAgain = page.waitForRequest(`**/assistants/${id}/search`);
    isRead = true;
    await isAskedAgain;
  });

  test('is searched as a whole, with links to the documents', async ({ page, user }) => {
    const found = await uploadAndWait(user, `On Saturdays we open at nine. ${markup}`, 'hours.md');
    await uploadAndWait(user, 'A check-up costs 40 euros.', 'prices.md');
    await open(page, '/knowledge');
    await page.getByRole('link', { name: 'Search all documents' }).click();
    await page.getByRole('textbox', { name: 'What a caller might ask' }).fill('zeppelin');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No passage shares a word').waitFor();
    await page.getByRole('textbox', { name: 'What a caller might ask' }).fill('When do you open on saturday?');
    await page.keyboard.press('Enter');
    const passage = page.getByRole('article').first();
    await passage.getByText(markup).waitFor();
    expect(await passage.innerText()).toMatch(/Score \d/);
    await inspect(page, 'knowledge-search');
    await passage.getByRole('link', { name: 'hours.md' }).click();
    await page.getByRole('heading', { name: 'hours' }).waitFor();
    expect(page.url()).toContain(found.id);
  });

  test('shows running, waiting and failed uploads', async ({ page }) => {
    await open(page, '/knowledge');
    let sent = 0;
    await page.route('**/assistants/knowledge-base', (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      sent += 1;
      return sent === 1 ? route.fulfill({ status: 500, json: { detail: [] } }) : undefined;
    });
    const files = ['a', 'b', 'c', 'd', 'e'].map((name) => file(`${name}.md`, 'Here it is.'));
    await page.locator('input[type=file]').setInputFiles(files);
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByRole('alert').waitFor();
    await uploads.getByText('Waiting').waitFor();
    await inspect(page, 'knowledge-uploads');
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await uploads.getByRole('button', { name: `Cancel the upload of ${name}.md` }).click();
    await uploads.waitFor({ state: 'detached' });
  });
});
