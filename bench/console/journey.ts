import type { Browser, Page } from 'playwright-core';
import { signInTo } from '../../test/console/support/sign-in.ts';

/** Step of a journey, with its time. */
export interface Step {
  what: string;
  /** Milliseconds from the start of the journey to the end of the step. */
  at: number;
}

/** Time between two keystrokes of a practised typist. */
const keyDelayMs = 66;

const hours = '# Opening hours\n\nOn Saturdays we open at nine and close at noon. On Sundays we are closed.\n';

/** Returns the steps of a new user, from signing in to an assistant that answers from a document. */
function buildSteps(page: Page, url: string): [what: string, walk: () => Promise<unknown>][] {
  const type = async (label: string, text: string) => {
    await page.getByRole('textbox', { name: label, exact: true }).click();
    await page.keyboard.type(text, { delay: keyDelayMs });
  };
  return [
    [
      'Sign in',
      async () => {
        await signInTo(page, `${url}/`, 'nova');
        await page.getByRole('heading', { level: 1 }).waitFor();
      },
    ],
    [
      'Enter the name and instruction of an assistant',
      async () => {
        await page.getByRole('link', { name: 'Assistants', exact: true }).click();
        await page.getByRole('link', { name: 'New assistant' }).click();
        await type('Name', 'Receptionist');
        await type('System instruction', 'You answer the phone of a dental clinic. Look up when it is open.');
      },
    ],
    [
      'Create it',
      async () => {
        await page.getByRole('button', { name: 'Create' }).click();
        await page.getByRole('heading', { level: 1, name: 'Receptionist' }).waitFor();
      },
    ],
    [
      'Upload a document and wait until it is ready',
      async () => {
        const file = { name: 'hours.md', mimeType: 'text/markdown', buffer: Buffer.from(hours) };
        await page.locator('input[type=file]').setInputFiles([file]);
        await page.getByText('Ready').first().waitFor();
        await page.getByText('Ready').first().scrollIntoViewIfNeeded();
      },
    ],
    [
      'Search it with a question',
      async () => {
        await page.getByRole('link', { name: 'hours', exact: true }).click();
        await type('What a caller might ask', 'When do you open on Saturdays?');
        await page.keyboard.press('Enter');
        await page.getByRole('article').waitFor();
      },
    ],
  ];
}

/** Performs the steps of a new user and times each. */
export async function measureJourney(browser: Browser, url: string): Promise<Step[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const startedAt = performance.now();
  const steps: Step[] = [];
  for (const [what, walk] of buildSteps(page, url)) {
    await walk();
    steps.push({ what, at: performance.now() - startedAt });
  }
  await context.close();
  return steps;
}
