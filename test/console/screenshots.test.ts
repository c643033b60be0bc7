import { createAssistant } from '../support/assistants.ts';
import { addMonthOfCalls, test } from './support/clinic.ts';
import { consoleUrl, describeConsole, open } from './support/console.ts';
import { inspect } from './support/inspect.ts';
import { receptionist } from './support/receptionist.ts';

const others = [
  ['Sales qualifier', 'Finds out what callers need, and how soon', 'elevenlabs', 'eleven_flash_v2_5'],
  ['Survey caller', 'Asks five questions after a visit', 'rime', 'arcana'],
  ['Appointment reminder', 'Calls the day before', 'cartesia', 'sonic-3'],
  ['Returns desk', 'Explains how to send things back', 'openai', 'gpt-4o-mini-tts'],
  ['Concierge', 'Books tables and taxis', 'elevenlabs', 'eleven_multilingual_v2'],
  ['Night line', 'Takes over when nobody is there', 'deepgram', 'aura-2'],
] as const;

describeConsole('screenshots', () => {
  test('show the list of assistants and one assistant', async ({ page, user }) => {
    for (const [name, description, tts_provider, tts_model] of others)
      await createAssistant(user, { ...receptionist, name, description, voice: { tts_provider, tts_model } });
    const { body } = await createAssistant(user, receptionist);
    await user.post('/user-credentials', { service_type: 'cartesia', api_key: 'sk_car_of_the_clinic' });
    await open(page, '/');
    await page.getByText('openai: missing').waitFor();
    await inspect(page, 'first-steps', { isForDocs: true });
    await open(page, '/assistants');
    await page.getByRole('link', { name: 'Night line' }).waitFor();
    await inspect(page, 'assistants');
    await page.goto(`${consoleUrl}/assistants/${body.id}`);
    await page.getByLabel('The assistant as JSON').waitFor();
    await inspect(page, 'assistant', { isForDocs: true });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('JSON', { exact: true }).click();
    await page.getByLabel('The assistant as JSON').waitFor();
    await inspect(page, 'assistant-json');
  });

  test('show a month of calls', async ({ page, user, clinic }) => {
    await addMonthOfCalls(user, clinic);
    await open(page, '/overview');
    await page.locator('.recharts-bar-rectangle path').first().waitFor();
    await inspect(page, 'month', { isForDocs: true });
  });

  test('show a document, a transcript and keys', async ({ page, clinic: { document, call } }) => {
    await open(page, `/knowledge/${document}`);
    await page.getByRole('textbox', { name: 'What a caller might ask' }).fill('When do you open on Saturday?');
    await page.keyboard.press('Enter');
    await page.getByRole('article').first().waitFor();
    await page.getByRole('heading', { name: 'Try a search' }).scrollIntoViewIfNeeded();
    await inspect(page, 'document');

    await open(page, `/calls/${call}`);
    await page.getByText('Called find_slots').click();
    await inspect(page, 'transcript', { isForDocs: true });

    for (const [path, name] of [
      ['/credentials', 'vendor-keys'],
      ['/keys', 'worker-keys'],
    ] as const) {
      await open(page, path);
      await page.getByRole('table').waitFor();
      await inspect(page, name);
    }
  });
});
