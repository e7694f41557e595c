import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { findProblems as findSome } from './find-problems.ts';
import {
  askForMore,
  openConsole,
  signIn,
  signInAsAdministrator,
  submitBatch,
  submitJob,
  waitForStage,
  waitUntilLoaded,
} from './open-console.ts';

const pages = [
  '',
  'jobs/',
  'jobs/?title=nothing',
  'batches/',
  'submit/',
  'quotas/',
  'quotas/hpc_one/proj_hpc_one_01/',
  'requests/',
  'projects/',
  'notifications/',
  'webhooks/',
  'nowhere/',
];

const administratorsPages = [
  'people/',
  'people/306328/',
  'people/42/',
  'people/306328/hpc_one/proj_hpc_one_01/',
  'jobs/',
  'projects/',
  'projects/hpc_one/proj_hpc_one_01/',
  'reports/',
  'reports/?by=day',
  'audit/',
  'audit/?user=ada',
  'systems/',
  'requests/?state=withdrawn',
  'nowhere/',
];

/**
 * Lists what a screen reader says from the top of the page on, but for the stage before the run, which
 * a slow machine skips.
 */
async function readAloud(page: Page): Promise<string[]> {
  const tree = await page.locator('main').ariaSnapshot();
  return tree
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/^- (text|paragraph|status|listitem|alert): /, '')
        .replace(/^- /, ''),
    )
    .filter((line) => !/^(\/url:.*|(main|paragraph|list|alert|status):|queued .*)$/.test(line))
    .map((line) => line.replace(/( \[level=\d\])?:?$/, ''))
    .slice(0, 13);
}

const findProblems = (page: Page) => findSome(page, { minor: true });

describe.runIf(findChromium())('accessibility', () => {
  it('holds on the pages of a researcher', async () => {
    const opened = await openConsole({ bypassCSP: true });
    const { page } = opened;
    expect(await findProblems(page), 'signing in').toEqual([]);
    await signIn(opened);
    await page.goto('/console/submit/');
    await page.getByLabel('Command').fill('ls');
    await page.getByLabel('Nodes').fill('0');
    await page.getByText('Enter a whole number from 1.').waitFor();
    expect(await findProblems(page), 'a mistake').toEqual([]);
    await page.getByLabel('Nodes').fill('1');
    await page.getByLabel('Title').fill('sim:fail');
    await page.getByRole('button', { name: 'Submit job' }).click();
    await page.getByRole('heading', { name: 'sim:fail' }).waitFor();
    expect(await findProblems(page), 'an active job').toEqual([]);
    await waitForStage(page, 'failed');
    await page.getByTestId('text').waitFor();
    expect(await findProblems(page), 'a job that failed').toEqual([]);
    expect(await readAloud(page)).toEqual([
      'heading "sim:fail"',
      'failed',
      'hpc_one · proj_hpc_one_01',
      expect.stringMatching(/^button "Copy [-0-9A-F]{36}"/),
      'link "Run again"',
      'button "Delete job"',
      'The simulator was told to make this job fail.',
      'region "Timeline"',
      'heading "Timeline"',
      expect.stringMatching(/^running \d+ /),
      expect.stringMatching(/^Ran .+ of 30 min\.$/),
      'region "Output and files"',
      'heading "Output and files"',
    ]);
    await page.getByRole('button', { name: 'Delete job' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await findProblems(page), 'a dialog').toEqual([]);
    await submitJob(opened, { title: 'long', runtime: 20 });
    await page.goto('/console/submit/');
    await page.getByLabel('Command').fill('ls {index}');
    await page.getByLabel('How many').selectOption('many, by number');
    await page.getByText('The first jobs').waitFor();
    expect(await findProblems(page), 'the form for a batch').toEqual([]);
    await page.getByLabel('How many').selectOption('one job');
    await page.getByLabel('After', { exact: true }).selectOption({ index: 1 });
    await page.getByRole('list', { name: 'Waits for' }).waitFor();
    expect(await findProblems(page), 'the form for a job that waits').toEqual([]);
    await page.getByRole('button', { name: 'Submit job' }).click();
    await page.getByRole('region', { name: 'Chain' }).waitFor();
    expect(await findProblems(page), 'a chain').toEqual([]);
    await page.goto(await submitBatch(opened, { title: 'sim:fail {index}', count: 3 }));
    await page.getByRole('img', { name: '3 jobs: 3 failed' }).first().waitFor();
    await page.getByText('0 sim:fail 0').click();
    await page.getByText('The end of stderr').waitFor();
    expect(await findProblems(page), 'a batch').toEqual([]);
    for (const path of pages) {
      await page.goto(`/console/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await findProblems(page), path).toEqual([]);
    }
  });

  it('holds on the pages of an administrator', async () => {
    const opened = await openConsole({ bypassCSP: true });
    const { page } = opened;
    await askForMore(opened, { hpc: 'hpc_one', project_name: 'proj_hpc_one_01', time: 1_800_000 });
    await signInAsAdministrator(opened);
    await page.goto('/console/admin/');
    await page.getByRole('button', { name: 'Approve…' }).waitFor();
    expect(await findProblems(page), 'a request').toEqual([]);
    await page.getByRole('button', { name: 'Approve…' }).click();
    await page.getByRole('button', { name: 'Approve request' }).click();
    await page.getByText('Enter a reason. The audit keeps it.').waitFor();
    expect(await findProblems(page), 'an act without a reason').toEqual([]);
    await page.goto('/console/admin/grants/');
    await page.getByRole('button', { name: 'Give quota' }).click();
    await page.getByText('Enter a user number').waitFor();
    const bulk = page.getByRole('region', { name: 'Grant many at once' });
    await bulk
      .getByLabel('Table')
      .fill('user,project,node_hours,reason\n7,proj_hpc_one_01,1,a course\n7,proj_hpc_one_01,2,b');
    await bulk.getByRole('button', { name: 'Preview' }).click();
    await bulk.getByText('Preview: 1 granted, 1 refused.').waitFor();
    expect(await findProblems(page), 'grants').toEqual([]);
    for (const path of administratorsPages) {
      await page.goto(`/console/admin/${path}`);
      await waitUntilLoaded(page);
      expect(await findProblems(page), path).toEqual([]);
    }
  });
});
