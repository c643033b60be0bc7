import { createAssistant } from '../support/assistants.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
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

describeConsole('the assistants', () => {
  test('look well, as a list and each alone', async ({ page, user }) => {
    for (const [name, description, tts_provider, tts_model] of others)
      await createAssistant(user, { ...receptionist, name, description, voice: { tts_provider, tts_model } });
    const { body } = await createAssistant(user, receptionist);
    await open(page, '/assistants');
    await page.getByRole('link', { name: 'Night line' }).waitFor();
    await inspect(page, 'assistants', ['1280-light']);
    await page.goto(`${consoleUrl}/assistants/${body.id}`);
    await page.getByLabel('The assistant as JSON').waitFor();
    await inspect(page, 'assistant', ['1280-light', '1280-dark', '390-light']);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('JSON', { exact: true }).click();
    await page.getByLabel('The assistant as JSON').waitFor();
    await inspect(page, 'assistant-json');
  });
});
