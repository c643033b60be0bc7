import { expect } from 'vitest';
import { createKey } from '../support/api-keys.ts';
import { createAssistant } from '../support/assistants.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
import { inspect } from './support/inspect.ts';

describeConsole('the start page', () => {
  test('ticks off what a new user has done, and collapses at the end', async ({ page, user }) => {
    const step = (title: string) => page.getByRole('button', { name: title });
    const done = async (count: number) => {
      await page.reload();
      await page.getByText(`${count} of 5 done`).waitFor();
    };
    await open(page, '/');
    await page.getByText('0 of 5 done').waitFor();
    await page.getByText(/curl -s .*\/assistants /).waitFor();
    await page.getByRole('link', { name: 'New assistant' }).click();
    await page.waitForURL(`${consoleUrl}/assistants/new`);
    await page.goBack();

    const { id } = (await createAssistant(user, { name: '<b>Receptionist</b>' })).body;
    await user.post('/user-credentials', { service_type: 'cartesia', api_key: 'sk_car_of_the_clinic' });
    await done(1);
    for (const words of ['“<b>Receptionist</b>” needs the keys of:', 'cartesia: saved', 'openai: missing'])
      await page.getByText(words).waitFor();
    await page.getByText('"service_type": "openai"').waitFor();
    await inspect(page, 'start-begun');

    for (const service_type of ['openai', 'deepgram'])
      await user.post('/user-credentials', { service_type, api_key: 'sk_of_the_clinic' });
    await done(2);
    await page.getByText(`/assistants/${id}/knowledge-base`).waitFor();

    await createKey(user, ['runtime', 'logs']);
    await done(3);
    await step('Take the first call').click();
    await page.getByText(`export ASSISTANT_ID=${id}`).waitFor();
    await page.getByRole('tab', { name: 'Pipecat' }).click();
    await page.getByRole('button', { name: 'Copy: pipecat_worker.py' }).waitFor();
    await inspect(page, 'start-worker');

    const call = { assistant_id: id, room_name: 'first', transcript: [{ role: 'user', content: 'Hello' }] };
    await user.post('/logs/call-logs', call);
    // Without a reload: the page polls while it waits for a call.
    await page.getByText('Still to do: Give it a document to know.').waitFor();
    await page.getByRole('link', { name: 'Hello' }).waitFor();
    await inspect(page, 'start-calls');

    const form = new FormData();
    form.append('file', new Blob(['We open at nine.']), 'hours.md');
    const headers = { authorization: `Bearer ${user.token}` };
    await fetch(`${user.baseUrl}/assistants/${id}/knowledge-base`, { method: 'POST', headers, body: form });
    await page.reload();
    await page.getByText('All set: your assistant takes calls.').waitFor();
    await expect.poll(() => step('Take the first call').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Show the steps' }).click();
    await page.getByText('5 of 5 done').waitFor();
  });
});
