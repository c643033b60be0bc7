import { expect } from 'vitest';
import { minimal } from '../support/assistants.ts';
import { createWebhook, listDeliveries, waitForDelivery } from '../support/delivery-host.ts';
import { answer, startReceiver } from '../support/receiver.ts';
import { describeConsole, open, test } from './support/console.ts';
import { inspect } from './support/inspect.ts';

describeConsole('webhooks', () => {
  test('are created with a secret that is shown once, tried, edited and deleted', async ({ page, user }) => {
    const receiver = await startReceiver(answer(200, 'Thanks, κόσμε'));
    const dialog = page.getByRole('dialog');
    await open(page, '/');
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    await dialog.getByLabel('URL').fill('https://10.0.0.1/');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByText('The host should be a public name').waitFor();
    await dialog.getByLabel('URL').fill(receiver.url);
    await dialog
      .getByLabel(/^Events/)
      .first()
      .fill('document can be');
    await page.getByRole('option', { name: 'knowledge_base.ready' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByLabel('Headers').fill('authorization: Bearer abc\nnonsense');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByText('Write each line as “name: value”').waitFor();
    await dialog.getByLabel('Headers').fill('authorization: Bearer abc');
    await inspect(page, 'webhook-new');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByText('Nothing sent yet').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('button', { name: 'webhook.test' }).click();
    await page.getByText('Thanks, κόσμε').waitFor();
    await inspect(page, 'webhook');
    expect(receiver.requests[0]?.headers.authorization).toBe('Bearer abc');
    await page.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => receiver.requests.length).toBe(2);

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByLabel('Note').fill('Our CRM');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Our CRM').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByText('This webhook is disabled. It gets no events.').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog.getByRole('textbox').fill(new URL(receiver.url).host);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhooks yet').waitFor();
    expect((await user.get<{ data: { webhooks: [] } }>('/webhooks')).body.data.webhooks).toEqual([]);
    receiver.stop();
  });

  test('show a long list of deliveries, and what failed', async ({ page, user }) => {
    const receiver = await startReceiver((response, request, number) =>
      answer(number === 0 ? 410 : 200)(response, request, number),
    );
    const { id } = await createWebhook(user, { url: receiver.url });
    await user.post('/assistants', minimal);
    await waitForDelivery(user, id, 'failed');
    await open(page, `/webhooks/${id}`);
    await page.getByText('answered that it is gone (410)').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Enable' }).click();
    await page.getByText('Healthy').waitFor();
    for (let i = 0; i < 60; i++) await user.post('/assistants', { ...minimal, name: `Assistant ${i}` });
    await expect.poll(async () => (await listDeliveries(user, id)).length).toBe(61);
    await page.getByRole('button', { name: 'assistant.created' }).first().waitFor();
    await inspect(page, 'webhook-deliveries');
    await page.getByLabel('State').selectOption('failed');
    await expect.poll(() => page.getByRole('button', { name: 'assistant.created' }).count()).toBe(1);
    await page.reload();
    await page.getByRole('button', { name: 'assistant.created' }).click();
    await page.getByText(/^410 · /).waitFor();
    receiver.stop();
  });
});
