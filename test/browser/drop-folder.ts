import type { Locator, Page } from 'playwright-core';

/** Drops a folder of this machine, as if a person had dragged it. */
export async function dropFolder(page: Page, target: Locator, folder: string): Promise<void> {
  // A form that was submitted is at its end, and the place to drop may be above the window.
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error('There is nothing to drop on.');
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...at, data });
  }
}
