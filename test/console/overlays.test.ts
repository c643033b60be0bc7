import type { Locator, Page } from 'playwright-core';
import { drawSample } from '../support/sample.ts';
import { type Clinic, test } from './support/clinic.ts';
import { describeConsole, open } from './support/console.ts';
import { expectAccessible, waitUntilSettled } from './support/inspect.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
const field = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true }).first();
const option = (page: Page) => page.getByRole('option').first();
const item = (page: Page, name: string) => page.getByRole('menuitem', { name });
const dialog = (page: Page) => page.getByRole('dialog');

/** An overlay: its page, the elements to click one after the other, and the element that is then visible. */
type Overlay = [
  name: string,
  path: (clinic: Clinic) => string,
  press: (page: Page) => Locator[],
  there: (page: Page) => Locator,
];

const overlays: Overlay[] = [
  ['the menu of the account', () => '/', (page) => [button(page, /^Account/)], (page) => item(page, 'Sign out')],
  ['the menu of a row', () => '/assistants', (page) => [button(page, 'Actions for')], (page) => item(page, 'Delete')],
  ['suggested vendors', ({ desk }) => `/assistants/${desk}`, (page) => [field(page, 'Provider')], option],
  ['suggested models', ({ desk }) => `/assistants/${desk}`, (page) => [field(page, 'Model')], option],
  ['documents to attach', ({ night }) => `/assistants/${night}`, (page) => [field(page, 'Attach a document')], option],
  ['assistants to attach to', ({ document }) => `/knowledge/${document}`, attachTo, option],
  [
    'a choice of whom to search as',
    ({ document }) => `/knowledge/${document}`,
    (page) => [field(page, 'Assistant')],
    option,
  ],
  ['assistants to filter by', () => '/calls', (page) => [field(page, 'Assistant')], option],
  ['assistants to count', () => '/overview', (page) => [field(page, 'Assistant')], option],
  [
    'the deletion of a document',
    ({ document }) => `/knowledge/${document}`,
    (page) => [button(page, 'Delete')],
    dialog,
  ],
  ['the deletion of a call', ({ call }) => `/calls/${call}`, (page) => [button(page, 'Delete')], dialog],
  ['a draft to publish', ({ desk }) => `/assistants/${desk}`, (page) => [button(page, 'Publish…')], dialog],
  [
    'versions to compare',
    ({ night }) => `/assistants/${night}/versions`,
    (page) => [button(page, 'Actions for v2'), item(page, 'Compare')],
    (page) => dialog(page).getByText('From v1 to v2'),
  ],
  [
    'a version to restore',
    ({ night }) => `/assistants/${night}/versions`,
    (page) => [button(page, 'Actions for v1'), item(page, 'Restore')],
    dialog,
  ],
  ['vendors to add the key of', () => '/credentials', (page) => [button(page, 'Add a credential')], option],
  ['a key to replace', () => '/credentials', (page) => [button(page, 'Actions for'), item(page, 'Replace')], dialog],
  ['a key to revoke', () => '/keys', (page) => [button(page, 'Actions for'), item(page, 'Revoke')], dialog],
  [
    'how long an old key stays good',
    () => '/keys',
    (page) => [button(page, 'Actions for'), item(page, 'Rotate'), field(page, 'Keep the old key valid for')],
    option,
  ],
  ['when a key expires', () => '/keys', (page) => [button(page, 'New API key'), field(page, 'Expires')], option],
  [
    'a notification',
    ({ call }) => `/calls/${call}`,
    // Hovering over the notification keeps it open.
    (page) => [button(page, 'Copy the link to turn 1'), page.getByRole('alert')],
    (page) => page.getByRole('alert'),
  ],
];

function attachTo(page: Page): Locator[] {
  return [field(page, 'Attach to an assistant')];
}

describeConsole('an overlay', () => {
  test.for(drawSample(overlays, 6, ([name]) => name))(
    'is accessible: %s',
    async ([, path, press, there], { page, clinic }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await open(page, path(clinic));
      for (const target of press(page)) await target.click();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await there(page).waitFor();
        await waitUntilSettled(page);
        await expectAccessible(page, { view: colorScheme });
      }
    },
  );
});
