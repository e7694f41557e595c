import { describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { openConsole, signIn, submitBatch, submitJob } from './open-console.ts';

describe.runIf(findChromium())('batches', () => {
  it('are one row each, and have a page with all their jobs', async () => {
    const opened = await openConsole();
    const { page } = opened;
    await submitJob(opened, { title: 'before' });
    await submitBatch(opened, { title: 'seed {index}', count: 250 });
    await submitJob(opened, { title: 'afterwards' });
    await signIn(opened);
    await page.goto('/console/jobs/');
    await page.getByText('252 jobs. Those of a batch are in one row.').waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'batch of 250' });
    // Also the job before the batch is there, which is not among the newest 200.
    await page.getByRole('listitem').filter({ hasText: 'before' }).waitFor();
    expect(
      await page
        .getByRole('listitem')
        .filter({ hasText: /seed|before|after/ })
        .count(),
    ).toBe(3);
    await row.getByRole('img', { name: '250 jobs: 250 done' }).waitFor();
    await page.getByRole('link', { name: 'batches', exact: true }).click();
    await page.getByRole('heading', { name: 'Batches' }).waitFor();
    await row.getByRole('link').click();

    await page.getByRole('heading', { name: 'seed {index}' }).waitFor();
    const strip = page.locator('svg').and(page.getByRole('img', { name: '250 jobs: 250 done' }));
    await strip.waitFor();
    await page.getByText('250 jobs.').waitFor();
    // A row of fifty cells and more: the eighth is the job with index 7.
    const box = await strip.boundingBox();
    const cell = 18;
    await strip.click({ position: { x: 7.5 * cell, y: cell / 2 } });
    const chosen = page.getByRole('region', { name: 'Chosen job' });
    await chosen.getByText('seed 7').waitFor();
    await chosen.getByText('The end of stdout').waitFor();
    expect(box?.height).toBeLessThanOrEqual(200);
    // The same with the keyboard.
    await page.getByLabel('Index').fill('300');
    await page.getByText('No job has this index yet.').waitFor();
    await page.getByLabel('Index').fill('249');
    await page.getByLabel('Index').press('Enter');
    await chosen.getByText('seed 249').waitFor();
    await page.getByRole('link', { name: 'failed', exact: true }).click();
    await page.getByText('0 jobs.').waitFor();
    await page.getByRole('link', { name: 'done', exact: true }).click();
    await page.getByRole('link', { name: /seed 3\b/ }).click();
    await page.getByRole('heading', { name: 'seed 3' }).waitFor();
  });

  it('show why jobs failed, and run them again', async () => {
    const opened = await openConsole();
    const { page } = opened;
    const address = await submitBatch(opened, { title: 'sim:fail {index}', count: 3 });
    await signIn(opened);
    await page.goto(address);
    await page.getByRole('status').getByText('3 failed').waitFor();
    const failed = page.getByRole('region', { name: 'Failed' });
    await failed.getByText('1 sim:fail 1').click();
    await failed.getByText('The simulator was told to make this job fail.').first().waitFor();
    await failed.getByText('The end of stderr').waitFor();
    await page.getByRole('button', { name: 'Run the failed again' }).click();
    await page.getByText('Run 3 jobs again?').waitFor();
    await page.getByRole('button', { name: 'Run again', exact: true }).click();
    await page.getByText('Batch submitted.').waitFor();
    expect(new URL(page.url()).pathname).not.toBe(address);
    await page.getByRole('img', { name: '3 jobs: 3 failed' }).first().waitFor();
    await page.getByRole('button', { name: 'Delete batch' }).click();
    await page.getByText('The files of its 3 jobs and its zip are deleted').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete batch' }).click();
    await page.getByText('The batch is being deleted.').waitFor();
  });

  it('are kept up to date by one request at a time, and can be cancelled', async () => {
    const opened = await openConsole();
    const { page } = opened;
    const address = await submitBatch(opened, { title: 'long', count: 5, runtime: 20 });
    await signIn(opened);
    await page.goto(address);
    await page.getByRole('img', { name: '5 jobs: 5 running' }).first().waitFor();
    await page.getByText('5 jobs.').waitFor();
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(3000);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await expect.poll(() => asked.length).toBeGreaterThan(1);
    expect(new Set(asked)).toEqual(new Set([address.slice('/console'.length)]));
    await page.getByRole('button', { name: 'Cancel batch' }).click();
    await page.getByText('5 jobs will stop and cannot be resumed. They hold 100 node').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel batch' }).click();
    await page.getByText('The batch is being cancelled.').waitFor();
    await page.getByRole('img', { name: '5 jobs: 5 cancelled' }).first().waitFor();
    await page.getByRole('region', { name: 'Quota' }).getByText('0 node-hours').first().waitFor();
  });
});
