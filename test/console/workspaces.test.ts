import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { createAssistant } from '../support/assistants.ts';
import { createMember } from '../support/workspaces.ts';
import { consoleUrl, describeConsole, open, test } from './support/console.ts';
import { inspect, waitUntilSettled } from './support/inspect.ts';

/** Signs in to workspaces in a new browser context. */
async function signInTo(browser: Browser, sub: string, workspaces: string[], role: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${consoleUrl}/assistants`);
  await page.getByLabel('User name').fill(sub);
  await page.getByLabel('Workspace').fill(workspaces.join(', '));
  await page.getByLabel('Role').fill(role);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Assistants' }).waitFor();
  return page;
}

/** Returns the visible switch: a phone has it in its head, a desktop above the navigation. */
const getSwitch = (page: Page) => page.getByRole('button', { name: /^Workspace:/ }).filter({ visible: true });

async function switchTo(page: Page, name: string): Promise<void> {
  await getSwitch(page).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
  await expect.poll(() => getSwitch(page).textContent()).toContain(name);
}

const buildIds = () => {
  const id = randomUUID().slice(0, 6);
  return { acme: `acme-${id}`, clinic: `عيادة الأسنان ${id}`, long: `${'North-Eastern-Regional-'.repeat(5)}${id}` };
};

describeConsole('workspaces', () => {
  test('are switched in the head, and each tab keeps its own', async ({ browser }) => {
    const sub = `grace-${randomUUID().slice(0, 6)}`;
    const { acme, clinic, long } = buildIds();
    const org = [acme, clinic, long];
    for (const workspace of [...org, 'personal']) {
      const client = await createMember({ sub, org, workspace: encodeURIComponent(workspace) });
      await createAssistant(client, { name: `Desk of ${workspace}` });
    }
    const page = await signInTo(browser, sub, org, 'admin');
    const seesOnly = async (on: Page, workspace: string) => {
      await on.getByRole('link', { name: `Desk of ${workspace}` }).waitFor();
      expect(await on.getByRole('link', { name: /^Desk of/ }).count()).toBe(1);
    };
    await seesOnly(page, acme); // the first, since none was chosen
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const workspace of [clinic, long, acme]) {
        await switchTo(page, workspace);
        await page.goto(`${consoleUrl}/assistants`);
        await seesOnly(page, workspace);
        await waitUntilSettled(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await switchTo(page, long);
    await inspect(page, 'workspaces');
    await getSwitch(page).click();
    await inspect(page, 'workspaces-menu');

    const other = await page.context().newPage();
    await other.goto(`${consoleUrl}/assistants`);
    await seesOnly(other, long); // chosen last
    await switchTo(other, 'Personal');
    await other.goto(`${consoleUrl}/assistants`);
    await seesOnly(other, 'personal');
    await page.goto(`${consoleUrl}/assistants`);
    await seesOnly(page, long);

    const linked = await page.context().newPage();
    await linked.goto(`${consoleUrl}/?${new URLSearchParams({ workspace: acme })}`); // as any page may open it
    await expect.poll(() => getSwitch(linked).textContent()).toContain(acme);
    await linked.goto(`${consoleUrl}/?workspace=unknown`); // which leads back, and changes no choice
    await expect.poll(() => getSwitch(linked).textContent()).toContain('Personal');
    const later = await page.context().newPage();
    await later.goto(`${consoleUrl}/assistants`);
    await seesOnly(later, 'personal');
    await page.context().close();
  });

  test('limit what is offered by the role', async ({ browser }) => {
    const sub = `alan-${randomUUID().slice(0, 6)}`;
    const { acme } = buildIds();
    const admin = await createMember({ org: acme });
    const { body } = await createAssistant(admin, { name: 'Desk' });
    const page = await signInTo(browser, sub, [acme], 'viewer');
    await page.getByRole('link', { name: 'Desk' }).waitFor();
    await getSwitch(page).waitFor();
    const countOffers = () =>
      Promise.all([
        page.getByRole('link', { name: 'New assistant' }).count(),
        page.getByRole('row').getByRole('button').count(),
        page.getByRole('link', { name: /^(API keys|Webhooks|Activity)$/ }).count(),
      ]);
    await expect.poll(countOffers).toEqual([0, 0, 0]);
    await open(page, '/');
    await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
    await page.getByText('2 of 5 done').waitFor(); // who may not see API keys need not make one
    expect(await page.getByRole('link', { name: /^New/ }).count()).toBe(0);
    await open(page, `/assistants/${body.id}`);
    await page.getByRole('heading', { level: 1, name: 'Desk' }).waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Name', exact: true }).first().isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^(Save|Publish|Delete)/ }).count()).toBe(0);
    await inspect(page, 'workspace-viewer');

    await switchTo(page, 'Personal');
    await open(page, '/keys');
    await page.getByRole('button', { name: 'New API key' }).first().waitFor();
    await page.context().close();
  });

  test('that the user has left lead back to those that remain', async ({ browser }) => {
    const sub = `emmy-${randomUUID().slice(0, 6)}`;
    const { acme, clinic } = buildIds();
    const member = await createMember({ sub, org: clinic });
    await createAssistant(member, { name: 'Remaining desk' });
    const page = await signInTo(browser, sub, [clinic], 'admin');
    await page.goto(`${consoleUrl}/?workspace=${acme}`);
    await expect.poll(() => getSwitch(page).textContent()).toContain(clinic);
    expect(new URL(page.url()).search).toBe('');
    await open(page, '/assistants');
    await page.getByRole('link', { name: 'Remaining desk' }).waitFor();
    await page.context().close();
  });

  test('are not mentioned to users without one', async ({ page }) => {
    await open(page, '/assistants');
    await page.getByRole('link', { name: 'API keys' }).waitFor();
    await waitUntilSettled(page);
    expect(await page.getByText('Workspace:').count()).toBe(0);
  });
});
