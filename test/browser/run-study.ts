import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { dropFolder } from './drop-folder.ts';

/** Submits docs/examples/my-study in the console and waits until it has computed. */
export async function runStudy(page: Page): Promise<void> {
  // Some seconds of one core, which a busy machine may not have.
  page.setDefaultTimeout(240_000);
  await page.getByRole('link', { name: 'Submit a job' }).first().click();
  const input = page.getByRole('region', { name: 'Input' });
  await dropFolder(page, input, resolve('docs/examples/my-study'));
  await page.getByText('3 files').waitFor();
  await page.getByLabel('Command').fill('node study.mjs');
  await page.getByLabel('Time').fill('10m');
  await page.getByLabel('Title').fill('Spots that divide');
  await page.getByRole('button', { name: 'Submit job' }).click();
  await page.getByRole('status').filter({ hasText: 'done' }).first().waitFor();
}

/** Opens one of the files that the job wrote. */
export async function showFile(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}
