import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dropFolder } from './drop-folder.ts';
import { findChromium } from './find-chromium.ts';
import { openConsole, signIn, submitBatch, submitJob, waitForStage } from './open-console.ts';

describe.runIf(findChromium())('batches', () => {
  it('are one row each, and have a page with all their jobs', async () => {
    const opened = await openConsole();
    const { page } = opened;
    await submitJob(opened, { title: 'before' });
    await submitBatch(opened, { title: 'seed {index}', count: 199 });
    await signIn(opened);
    await page.goto('/console/jobs/');
    // A full page of the newest jobs. The next job makes it one of two pages.
    await page.getByText('200 jobs. Those of a batch are in one row.').waitFor();
    await submitJob(opened, { title: 'afterwards' });
    await page.getByText('201 jobs. Those of a batch are in one row.').waitFor();
    const row = page.getByRole('listitem').filter({ hasText: 'batch of 199' });
    // Also the job before the batch is there, which is not among the newest 200.
    await page.getByRole('listitem').filter({ hasText: 'before' }).waitFor();
    expect(
      await page
        .getByRole('listitem')
        .filter({ hasText: /seed|before|after/ })
        .count(),
    ).toBe(3);
    await row.getByRole('img', { name: '199 jobs: 199 done' }).waitFor();
    // Under the heading of time limits is a limit, and in the list of batches the price.
    await row.getByTitle(/^Time limit: /).waitFor();
    await page.getByRole('link', { name: 'batches', exact: true }).click();
    await page.getByRole('heading', { name: 'Batches' }).waitFor();
    await row
      .getByTitle('Used so far and still reserved')
      .getByText(/node-hours?$/)
      .waitFor();
    await row.getByRole('link').click();

    await page.getByRole('heading', { name: 'seed {index}' }).waitFor();
    const strip = page.locator('svg').and(page.getByRole('img', { name: '199 jobs: 199 done' }));
    await strip.waitFor();
    await page.getByText('199 jobs.').waitFor();
    // A row of fifty cells and more: the eighth is the job with index 7.
    const box = await strip.boundingBox();
    const cell = 18;
    await strip.click({ position: { x: 7.5 * cell, y: cell / 2 } });
    const chosen = page.getByRole('region', { name: 'Chosen job' });
    await chosen.getByText(/^index 7 seed 7/).waitFor();
    await chosen.getByText('The end of stdout').waitFor();
    expect(box?.height).toBeLessThanOrEqual(200);
    // The same with the keyboard.
    await page.getByLabel('Index').fill('300');
    await page.getByText('No job has this index yet.').waitFor();
    await page.getByLabel('Index').fill('198');
    await page.getByLabel('Index').press('Enter');
    await chosen.getByText(/^index 198 seed 198/).waitFor();
    await page.getByRole('link', { name: 'failed', exact: true }).click();
    await page.getByText('0 jobs.').waitFor();
    await page.getByRole('link', { name: 'done', exact: true }).click();
    await page.getByRole('link', { name: /seed 3\b/ }).click();
    await page.getByRole('heading', { name: 'seed 3' }).waitFor();
  });

  it('are submitted by a table of the dropped folder, after all its mistakes are mended', async () => {
    const opened = await openConsole();
    const { page } = opened;
    await signIn(opened);
    await page.goto('/console/submit/');
    const zone = page.getByRole('region', { name: 'Input' });
    const drop = async (table: string) => {
      const folder = mkdtempSync(join(tmpdir(), 'slipway-sweep-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, 'params.csv'), table);
      writeFileSync(join(folder, 'run.py'), 'print(1)');
      await dropFolder(page, zone, folder);
    };
    await drop('alpha,mark\n0.1\n0.2,ok\n0.3,a,b\n');
    await zone.getByText('2 files').waitFor();
    await page.getByLabel('Command').fill('python3 run.py {alpha}');
    await page.getByLabel('Title').fill('alpha {alpha} {mark}');
    await page.getByLabel('How many').selectOption('many, by table');
    expect(await page.getByLabel('Table').inputValue()).toBe('params.csv');
    const mistakes = page.getByRole('alert');
    await mistakes.getByText('Line 2: It has 1 cells').waitFor();
    await mistakes.getByText('Line 4: It has 3 cells').waitFor();
    await drop('alpha,mark\n0.1,ok\n0.2,sim:fail\n0.3,ok\n');
    const price = page.getByRole('complementary', { name: 'Price' });
    await price.getByText('3 jobs × 1 node × 30 min = 1.5 node-hours.').waitFor();
    await price.getByText('python3 run.py 0.2').waitFor();
    expect(await mistakes.count()).toBe(0);
    await page.getByLabel('Nodes').fill('999');
    await price.getByText('Fix the mistakes in the form to see the price.').waitFor();
    await page.getByLabel('Nodes').fill('1');
    await page.getByLabel('At once').fill('2');
    // Nobody pays for a mistyped name unless they mean it, not even by a quick click.
    await page.getByLabel('Command').fill('python3 run.py {alpa}');
    await page.getByRole('button', { name: 'Submit batch' }).click();
    await page.getByText('No column is named {alpa}. Correct it').waitFor();
    await page.getByLabel('Allow {alpa} without a column').waitFor();
    await page.getByLabel('Command').fill('python3 run.py {alpha}');
    await page.getByText('No column is named {alpa}. Correct it').waitFor({ state: 'hidden' });
    // It is also said before anybody submits, at the field and with the switch, and only there.
    await page.getByLabel('Title').fill('alpha {alpa}');
    await page.getByText('No column is named {alpa}. Correct it').waitFor();
    await page.getByLabel('Allow {alpa} without a column').waitFor();
    expect(await price.getByText('{alpa} stays').count()).toBe(0);
    await page.getByLabel('Title').fill('alpha {alpha} {mark}');
    await page.getByText('No column is named {alpa}. Correct it').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Submit batch' }).click();
    await page.getByText('Batch submitted.').waitFor();
    await page.getByRole('heading', { name: 'alpha {alpha} {mark}' }).waitFor();
    await page.getByRole('img', { name: '3 jobs: 1 failed, 2 done' }).first().waitFor();
    await page.getByRole('region', { name: 'Failed' }).getByText('alpha 0.2 sim:fail').waitFor();
    await page.getByRole('link', { name: 'alpha 0.3 ok' }).click();
    await page.getByRole('link', { name: 'index 2 of a batch' }).waitFor();
    // The next submission is a single job again.
    await page.goto('/console/submit/');
    await page.getByRole('button', { name: 'Submit job' }).waitFor();
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
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    const urgent = page.getByRole('region', { name: 'Needs attention' });
    await urgent.getByText('The simulator was told to make this job fail.').first().waitFor();
    await page.goBack();
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

describe.runIf(findChromium())('a chain', () => {
  it('is chosen in the form, and shown on the pages of its jobs', async () => {
    const opened = await openConsole();
    const { page } = opened;
    await submitJob(opened, { title: 'prepare', runtime: 2 });
    await signIn(opened);
    await page.goto('/console/submit/');
    await page.getByLabel('Command').fill('ls');
    await page.getByLabel('Title').fill('analyse');
    const after = page.getByLabel('After', { exact: true });
    const offered = after.locator('option', { hasText: 'prepare on hpc_one' });
    await after.selectOption((await offered.getAttribute('value')) ?? '');
    await page.getByRole('list', { name: 'Waits for' }).getByText('prepare on hpc_one').waitFor();
    const needed = page.getByLabel('Starts once prepare on hpc_one');
    await needed.selectOption('has ended, well or not');
    await needed.selectOption('has ended well, with its results as input');
    await page.getByLabel('Folder for the results').fill('before');
    await page.getByRole('button', { name: 'Submit job' }).click();
    await page.getByRole('heading', { name: 'analyse' }).waitFor();
    const chain = page.getByRole('region', { name: 'Chain' });
    await chain.getByText('Waits for').waitFor();
    await chain.getByText('gives its results as input').waitFor();
    const analyse = new URL(page.url()).pathname.split('/').at(-2) ?? '';
    await submitJob(opened, { title: 'publish', after: [analyse] });
    await chain.getByRole('link', { name: 'prepare' }).click();
    await page.getByRole('heading', { name: 'prepare' }).waitFor();
    await chain.getByText('Then').waitFor();
    await chain.getByText('Later').waitFor();
    await chain.getByRole('link', { name: 'publish' }).waitFor();
    await waitForStage(page, 'done');
    await chain.getByRole('link', { name: 'analyse' }).click();
    await waitForStage(page, 'done');
    await chain.getByText('Waited for').waitFor();
    await chain.getByText('succeeded').waitFor();
  });

  it('collects a batch that has ended, from a button on its page', async () => {
    const opened = await openConsole();
    const { page } = opened;
    await submitJob(opened, { title: 'ended before' });
    const address = await submitBatch(opened, { title: 'seed {index}', count: 3 });
    await signIn(opened);
    await page.goto(address);
    await page.getByRole('link', { name: 'Use these results' }).click();
    await page.getByLabel('Command').fill('ls');
    await page.getByLabel('Title').fill('collect');
    const needed = page.getByLabel('Starts once seed {index} on hpc_one');
    expect(await needed.inputValue()).toBe('results');
    await needed.selectOption('has ended, with the results of jobs that ended well as input');
    // Jobs that have ended are offered, too.
    const ended = page.getByLabel('After', { exact: true }).locator('optgroup');
    await expect.poll(() => ended.last().textContent()).toContain('ended before on hpc_one');
    await page.getByRole('button', { name: 'Submit job' }).click();
    await page.getByRole('heading', { name: 'collect' }).waitFor();
    const chain = page.getByRole('region', { name: 'Chain' });
    await chain.getByText('gives the results of jobs that ended well as input').waitFor();
    await waitForStage(page, 'done');
    await chain.getByRole('link', { name: 'seed {index}' }).click();
    await page.getByRole('heading', { name: 'seed {index}' }).waitFor();
  });
});
