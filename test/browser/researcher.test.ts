import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dropFolder } from './drop-folder.ts';
import { findChromium } from './find-chromium.ts';
import { openConsole, signIn, waitForStage } from './open-console.ts';

describe.runIf(findChromium())('a researcher', () => {
  it('submits a folder, watches the job finish, reads its output and checks the quota', async () => {
    const console = await openConsole();
    const { page } = console;
    await signIn(console);
    await page.getByRole('link', { name: 'Submit a job' }).click();
    await dropFolder(page, page.getByRole('region', { name: 'Input' }), createStudy());
    await page.getByText('2 files').waitFor();
    await page.getByLabel('Command').fill('python3 main.py');
    await page.getByLabel('Nodes').fill('2');
    await page.getByLabel('Title').fill('first study');
    await page.getByText('2 nodes × 30 min = 1 node-hour.').waitFor();
    await page.getByText('4,999 of 5,000 left after this job.').waitFor();
    await page.getByRole('button', { name: 'Submit job' }).click();

    await page.getByRole('heading', { name: 'first study' }).waitFor();
    await waitForStage(page, 'done');
    await page.getByText('command: python3 main.py').waitFor();
    await page.getByRole('button', { name: 'listing.txt', exact: true }).click();
    await page.getByTestId('text').getByText('data/values.csv').waitFor();
    await page.getByText('0.8 node-hours').waitFor();

    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download stdout' }).click();
    expect((await saving).suggestedFilename()).toBe('stdout');

    await page.getByRole('link', { name: 'Ledger of proj_hpc_one_01' }).click();
    await page.getByText('succeeded: 0.8 node-hours of 1 node-hour used').waitFor();
    await page.getByRole('link', { name: 'Quotas', exact: true }).first().click();
    await page.getByText('0.8 node-hours used', { exact: true }).waitFor();

    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText('0 running').waitFor();
    expect(await page.getByText('since your last visit').count()).toBe(0);
    await pretendToReturn(page);
    await page.getByText('1 ended since your last visit').waitFor();
    const ended = page.getByRole('region', { name: 'Ended since your last visit' });
    await ended.getByRole('link', { name: 'first study' }).click();
    await page.getByRole('heading', { name: 'first study' }).waitFor();
  });

  it('is asked before a job runs again without the input it had', async () => {
    const opened = await openConsole();
    const { page } = opened;
    await signIn(opened);
    await page.goto('/console/submit/');
    const zone = page.getByRole('region', { name: 'Input' });
    await dropFolder(page, zone, createStudy());
    await page.getByText('2 files').waitFor();
    await page.getByLabel('Command').fill('python3 main.py');
    await page.getByRole('button', { name: 'Submit job' }).click();
    await waitForStage(page, 'done');
    await page.reload();
    await page.getByRole('link', { name: 'Run again' }).click();
    await page.getByText('The input was not kept. Drop it again.').waitFor();
    await page.getByRole('button', { name: 'Submit job' }).click();
    await page.getByRole('button', { name: 'Submit without the input' }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Run again');
    await dropFolder(page, zone, createStudy());
    await page.getByText('2 files').waitFor();
    expect(await page.getByRole('button', { name: 'Submit without the input' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Submit job' }).click();
    await page.getByText('Job submitted.').waitFor();
  });

  it('cancels a job, runs it again with changes, and asks for more', async () => {
    const console = await openConsole();
    const { page } = console;
    await signIn(console);
    await page.keyboard.press('n');
    await page.getByLabel('Command').fill('sleep 1000');
    await page.getByLabel('Time').fill('2h');
    await page.getByLabel('Title').fill('too long');
    await page.getByText('1 node × 2 h = 2 node-hours.').waitFor();
    await page.getByRole('button', { name: 'Submit job' }).click();
    await page.getByRole('button', { name: 'Cancel job' }).click();
    await page.getByText('the rest of the 2 hours is returned').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
    await waitForStage(page, 'cancelled');

    await page.getByRole('link', { name: 'Run again' }).click();
    expect(await page.getByLabel('Command').inputValue()).toBe('sleep 1000');
    expect(await page.getByLabel('Title').inputValue()).toBe('too long');
    await page.getByLabel('Time').fill('3 weeks');
    await page.getByText('You asked for 21 d, but hpc_one gives at most 1 d.').waitFor();
    await page.getByLabel('Time').fill('soon');
    await page.getByText('Enter a time with a unit').waitFor();
    await page.getByLabel('Time').fill('3 min');
    await page.getByLabel('Title').fill('shorter');
    await page.getByRole('button', { name: 'Submit job' }).click();
    await page.getByRole('heading', { name: 'shorter' }).waitFor();

    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.getByLabel('Search titles').fill('short');
    await page.getByText('1 job', { exact: true }).waitFor();
    await expect.poll(() => page.url()).toContain('title=short');

    const late = Promise.withResolvers<void>();
    await page.route('**/projects/', async (route) => {
      await late.promise;
      await route.continue();
    });
    await page.goto('/console/requests/');
    await page.getByLabel('Time').fill('500 node-hours');
    await page.getByLabel('Reason').fill('a course in spring');
    const send = page.getByRole('button', { name: 'Send request' });
    // Without the projects, there is nothing to ask for yet.
    expect(await send.isDisabled()).toBe(true);
    late.resolve();
    await send.click();
    await page.getByRole('heading', { name: '500 node-hours' }).waitFor();
    await page.getByText('open', { exact: true }).waitFor();
  });
});

/** Opens Home again, as if the last visit was two hours ago. */
async function pretendToReturn(page: Page): Promise<void> {
  await page.evaluate(() => {
    const here = { at: new Date(Date.now() - 7_200_000).toISOString() };
    localStorage.setItem('slipway-visits', JSON.stringify({ here }));
  });
  await page.reload();
}

function createStudy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-study-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'main.py'), 'print("it runs")\n');
  writeFileSync(join(folder, 'data/values.csv'), 'a,b\n1,2\n'.repeat(1000));
  return folder;
}
