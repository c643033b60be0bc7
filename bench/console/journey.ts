import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { signInAt } from '../../test/console/support/sign-in.ts';
import { film } from './film.ts';

/** A step of a journey, as it was done. */
export interface Step {
  what: string;
  /** Milliseconds since the journey began. */
  at: number;
  /** The file of what was seen then. */
  picture: string;
}

/** Milliseconds for each character: a practised typist. */
const delay = 66;

const hours = '# Opening hours\n\nOn Saturdays we open at nine and close at noon. On Sundays we are closed.\n';

/** What a new user does to have an assistant that knows what is in a document, one step after the other. */
function stepsOf(page: Page, url: string): [what: string, walk: () => Promise<unknown>][] {
  const type = async (label: string, text: string) => {
    await page.getByRole('textbox', { name: label, exact: true }).click();
    await page.keyboard.type(text, { delay });
  };
  return [
    [
      'Sign in',
      async () => {
        await signInAt(page, `${url}/`, 'nova');
        await page.getByRole('heading', { level: 1 }).waitFor();
      },
    ],
    [
      'Name the assistant, and say what it does',
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
      'Give it a document, which is read',
      async () => {
        const file = { name: 'hours.md', mimeType: 'text/markdown', buffer: Buffer.from(hours) };
        await page.locator('input[type=file]').setInputFiles([file]);
        await page.getByText('Ready').first().waitFor();
        await page.getByText('Ready').first().scrollIntoViewIfNeeded();
      },
    ],
    [
      'Ask what a caller would',
      async () => {
        await page.getByRole('link', { name: 'hours', exact: true }).click();
        await type('What a caller might ask', 'When do you open on Saturdays?');
        await page.keyboard.press('Enter');
        await page.getByRole('article').waitFor();
      },
    ],
  ];
}

/** Goes the way of a new user, and keeps in `folder` a picture of each step, and a film of all, `journey.gif`. */
export async function journey(browser: Browser, url: string, folder: string): Promise<Step[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const stop = await film(page);
  const startedAt = performance.now();
  const steps: Step[] = [];
  for (const [what, walk] of stepsOf(page, url)) {
    await walk();
    const at = performance.now() - startedAt;
    const picture = `journey-${steps.length + 1}.png`;
    await page.screenshot({ path: join(folder, picture) });
    steps.push({ what, at, picture });
  }
  writeFileSync(join(folder, 'journey.gif'), await stop());
  await context.close();
  return steps;
}
