import { expect } from 'vitest';
import { createAssistant } from '../support/assistants.ts';
import { describeConsole, open, test } from './support/console.ts';

describeConsole('deleting', () => {
  test('takes a name as it is shown, forgets an old failure, and is done where it was done', async ({ page, user }) => {
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
});
