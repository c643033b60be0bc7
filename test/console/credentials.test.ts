import { expect } from 'vitest';
import type { Credential } from '../../shared/schemas/credential.ts';
import { describeConsole, open, test } from './support/console.ts';
import { expectAccessible, inspect } from './support/inspect.ts';
import { findTraces } from './support/traces.ts';

const markup = '<img src=x onerror="document.title = 1">';

describeConsole('credentials', () => {
  test('are added, shown masked, replaced and deleted, and leave no trace of a key', async ({ page, user }) => {
    const saved = async () => (await user.get<Credential[]>('/user-credentials')).body;
    const [first, second] = ['sk_car_the_first_0001', 'sk_car_the_second_0002'];
    const dialog = page.getByRole('dialog');
    const key = dialog.getByRole('textbox', { name: 'Key' });

    await open(page, '/credentials');
    await page.getByText('No credentials yet').waitFor();

    await page.getByRole('button', { name: 'Add a credential' }).first().click();
    await dialog.getByLabel('Service').fill('carte');
    await page.getByRole('option', { name: 'cartesia' }).click();
    await key.fill(first);
    const hidden = () => key.evaluate((field) => getComputedStyle(field).getPropertyValue('-webkit-text-security'));
    await expect.poll(hidden).toBe('disc');
    await dialog.getByRole('button', { name: 'Show' }).click();
    await expect.poll(hidden).toBe('none');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });

    const row = page.getByRole('row', { name: /cartesia/ });
    await row.getByText('****0001').waitFor();
    await expect.poll(() => findTraces(page, '****0001')).toEqual(['document', 'queries']);
    await expect.poll(() => findTraces(page, first)).toEqual([]);

    await row.getByRole('button', { name: 'Actions for cartesia, default' }).click();
    await page.getByRole('menuitem', { name: 'Replace' }).click();
    await key.fill(second);
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await row.getByText('****0002').waitFor();
    await expect.poll(() => findTraces(page, second)).toEqual([]);
    expect(await saved()).toMatchObject([{ service_type: 'cartesia', name: 'default', masked_key: '****0002' }]);

    await row.getByRole('button', { name: 'Actions for cartesia, default' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const remove = dialog.getByRole('button', { name: 'Delete' });
    await dialog.getByRole('textbox').fill('cartesia/defaul');
    await expect.poll(() => remove.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('cartesia/default');
    await remove.click();
    await page.getByText('No credentials yet').waitFor();
    expect(await saved()).toEqual([]);
  });

  test('report a fault at its field, and what saving would replace', async ({ page, user }) => {
    await user.post('/user-credentials', {
      service_type: 'elevenlabs',
      name: markup,
      api_key: 'xi_of_the_clinic_0003',
    });
    await open(page, '/credentials');
    await page.getByRole('cell', { name: markup, exact: true }).waitFor();
    await inspect(page, 'credentials');
    await expect.poll(() => page.title()).toBe('Credentials · Voice assistants');

    await page.getByRole('button', { name: 'Add a credential' }).click();
    const dialog = page.getByRole('dialog');
    const service = dialog.getByLabel('Service');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => dialog.getByText('Required').count()).toBe(2);
    await service.fill('no such service!');
    await dialog.getByRole('textbox', { name: 'Key' }).fill('something');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Use 1 to 64 letters').waitFor();
    await expect.poll(() => service.evaluate((field) => field === document.activeElement)).toBe(true);
    await expectAccessible(page);

    await service.fill('11Labs');
    await dialog.getByLabel('Name').fill(markup);
    await dialog.getByText('You have a credential of this service and name already (****0003)').waitFor();
    await dialog.getByRole('button', { name: 'Replace' }).waitFor();
  });

  test('can be reloaded after an error', async ({ page, user }) => {
    await user.post('/user-credentials', { service_type: 'deepgram', api_key: 'dg_seen_again' });
    await page.route('**/user-credentials', (route) => route.fulfill({ status: 403, json: { detail: [] } }));
    await open(page, '/credentials');
    await page.getByRole('alert').waitFor();
    await page.unroute('**/user-credentials');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table').waitFor();
  });
});
