import type { Locator, Page } from 'playwright-core';
import { createAssistant } from '../support/assistants.ts';
import { test } from './support/clinic.ts';
import { describeConsole, open } from './support/console.ts';

/** Waits until a screen reader would announce a text in a page or a part of it, independent of the focus. */
const expectAnnounced = (where: Page | Locator, words: string) =>
  where
    .getByRole('status')
    .or(where.getByRole('alert'))
    .filter({ hasText: words })
    .first()
    .waitFor({ state: 'attached' });

describeConsole('screen readers announce', () => {
  test('what is found, copied, saved, uploaded and attached', async ({ page, context, user, clinic }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await createAssistant(user, { name: 'Night nurse' });
    await open(page, '/assistants');
    await page.getByRole('searchbox').fill('night');
    await expectAnnounced(page, '2 assistants found');
    await page.getByRole('searchbox').fill('nobody');
    await expectAnnounced(page, '0 assistants found');

    await open(page, `/assistants/${clinic.night}`);
    await page.getByRole('button', { name: 'Copy the id' }).click();
    await expectAnnounced(page, 'Copied');
    await page.getByRole('textbox', { name: 'Description' }).fill('Takes over at eight');
    await expectAnnounced(page, 'Unsaved changes');
    await page.keyboard.press('ControlOrMeta+s');
    await expectAnnounced(page, 'Saved');
    await page.getByRole('combobox', { name: 'Attach a document' }).fill('nothing like it');
    await expectAnnounced(page, 'No other document of that name');
    await page.getByRole('combobox', { name: 'Attach a document' }).fill('prices');
    await page.getByRole('option').click();
    await expectAnnounced(page, 'Attached: prices-and-hours');

    await open(page, '/knowledge');
    const buffer = Buffer.from('Flowers, please.');
    await page.locator('input[type=file]').setInputFiles([{ name: 'wishes.md', mimeType: 'text/markdown', buffer }]);
    await expectAnnounced(page, 'Uploaded: wishes.md');
    await expectAnnounced(page.getByRole('row', { name: 'wishes' }), 'Ready');

    await open(page, `/knowledge/${clinic.document}`);
    await page.getByRole('textbox', { name: 'What a caller might ask' }).fill('open on Saturday');
    await page.keyboard.press('Enter');
    await expectAnnounced(page, '1 passage');

    await open(page, '/calls');
    await page.getByLabel('From').fill('2020-01-01');
    await expectAnnounced(page, '1 call');
    await open(page, `/calls/${clinic.call}`);
    await page.getByRole('searchbox').fill('saturday');
    await expectAnnounced(page, '1 of 4');
  });
});
