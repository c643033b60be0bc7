import { expect } from 'vitest';
import { createAssistant } from '../support/assistants.ts';
import { describeConsole, open, test } from './support/console.ts';
import { respondBusy } from './support/faults.ts';
import { expectAccessible } from './support/inspect.ts';

describeConsole('deleting', () => {
  test('accepts the name as displayed, resets old errors, and accepts that it is gone already', async ({
    page,
    user,
  }) => {
    const { body } = await createAssistant(user, { name: 'Front  desk' });
    await open(page, '/assistants');
    const dialog = page.getByRole('dialog');
    const remove = dialog.getByRole('button', { name: 'Delete' });
    const ask = async () => {
      await page.getByRole('button', { name: 'Actions for Front desk' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await dialog.getByRole('textbox').fill('Front desk');
    };
    const address = `${user.baseUrl}/assistants/${body.id}`;
    await page.route(address, (route) => route.abort());
    await ask();
    await remove.click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await ask();
    await remove.waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);

    // Another tab was faster.
    await page.unroute(address);
    await user.delete(`/assistants/${body.id}`);
    await remove.click();
    await page.getByText('Assistant deleted').waitFor();
    await page.getByText('No assistants yet').waitFor();
  });

  test('updates a list that cannot be refetched, and says so until it can', async ({ page, user }) => {
    for (const name of ['Stays', 'Goes']) await createAssistant(user, { name });
    await open(page, '/assistants');
    const row = (name: string) => page.getByRole('link', { name, exact: true });
    await page.getByRole('button', { name: 'Actions for Goes' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Goes');
    await page.route('**/assistants?*', (route) => respondBusy(route, 60));
    await page.keyboard.press('Enter');
    const old = page.getByRole('status').filter({ hasText: 'This could not be refreshed' });
    await old.waitFor();
    await row('Goes').waitFor({ state: 'detached' });
    await row('Stays').waitFor();
    await expectAccessible(page);
    await page.unroute('**/assistants?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await old.waitFor({ state: 'detached' });
    await row('Stays').waitFor();
  });
});
