import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { askForMore, openConsole, waitForStage } from './open-console.ts';

const mostTabs = 120;

/** Presses Tab until the control has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor();
  for (let tabs = 0; tabs < mostTabs; tabs += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${control}.`);
}

async function press(page: Page, role: 'button' | 'link', name: string | RegExp): Promise<void> {
  const control = page.getByRole(role, { name, exact: typeof name === 'string' });
  await tabTo(page, control.first());
  await page.keyboard.press('Enter');
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }).first());
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

describe.runIf(findChromium())('the keyboard alone', () => {
  it('is enough to submit, follow and cancel a job, to grant and to decide', async () => {
    const opened = await openConsole();
    const { page } = opened;
    const { keyboard } = page;
    await askForMore(opened, { hpc: 'hpc_one', project_name: 'proj_hpc_one_01', time: 1_800_000 });
    await press(page, 'button', /^Researcher 306328/);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();

    await keyboard.press('n');
    await type(page, 'Command', 'node study.mjs');
    await type(page, 'Runtime', '10h');
    await type(page, 'Title', 'by keys');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'by keys' }).waitFor();
    await waitForStage(page, 'running');
    await press(page, 'button', 'Cancel job');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await tabTo(page, dialog.getByRole('button', { name: 'Cancel job' }));
    await keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await press(page, 'button', 'Delete job');
    await dialog.waitFor();
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await press(page, 'button', 'Sign out');
    await press(page, 'button', /^Administrator 100001/);
    await page.getByRole('heading', { name: 'by keys' }).or(page.getByRole('alert')).waitFor();
    await press(page, 'link', 'Admin');
    await press(page, 'button', 'Approve…');
    await type(page, 'Reason', 'a good reason');
    await keyboard.press('Enter');
    await page.getByText('No open requests.').waitFor();

    await press(page, 'link', 'Grants');
    await type(page, 'User', '306328');
    await type(page, 'Time', '100');
    await tabTo(page, page.getByLabel('Project', { exact: true }));
    await keyboard.type('proj_hpc_one');
    await type(page, 'Reason', 'a course');
    await keyboard.press('Enter');
    await page.getByText(/^Done for 306328: 5,500 → 5,600 node-hours/).waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  });
});
