import type { Page } from 'playwright-core';

/** Drops files and folders from disk on the element with a text, as a user does. */
export async function dropPaths(page: Page, on: string, paths: string[]): Promise<void> {
  const box = await page.getByText(on).boundingBox();
  if (!box) throw new Error(`Nothing is called ${on}`);
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data });
  await session.detach();
}
