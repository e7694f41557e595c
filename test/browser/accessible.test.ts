import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import {
  askForMore,
  openConsole,
  signIn,
  signInAsAdministrator,
  waitForStage,
  waitUntilLoaded,
} from './open-console.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const pages = [
  '',
  'jobs/',
  'jobs/?title=nothing',
  'submit/',
  'quotas/',
  'quotas/hpc_one/proj_hpc_one_01/',
  'requests/',
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

/** In both colour schemes, each as `light, rule: the first place`. */
async function findObstacles(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    const serious = violations.filter(
      ({ impact }) => impact === 'serious' || impact === 'critical',
    );
    for (const { id, nodes } of serious) {
      found.push(`${colorScheme}, ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
    }
  }
  return found;
}

describe.runIf(findChromium())('nothing is in the way of anybody', () => {
  it('on the pages of a researcher', async () => {
    const opened = await openConsole({ bypassCSP: true });
    const { page } = opened;
    expect(await findObstacles(page), 'signing in').toEqual([]);
    await signIn(opened);
    await page.goto('/console/submit/');
    await page.getByLabel('Command').fill('ls');
    await page.getByLabel('Nodes').fill('0');
    await page.getByText('Write a whole number from 1.').waitFor();
    expect(await findObstacles(page), 'a mistake').toEqual([]);
    await page.getByLabel('Nodes').fill('1');
    await page.getByLabel('Title').fill('sim:fail');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { name: 'sim:fail' }).waitFor();
    expect(await findObstacles(page), 'a job that lives').toEqual([]);
    await waitForStage(page, 'failed');
    await page.getByTestId('text').waitFor();
    expect(await findObstacles(page), 'a job that failed').toEqual([]);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete it' }).waitFor();
    expect(await findObstacles(page), 'a question').toEqual([]);
    for (const path of pages) {
      await page.goto(`/console/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await findObstacles(page), path).toEqual([]);
    }
  });

  it('on the pages of an administrator', async () => {
    const opened = await openConsole({ bypassCSP: true });
    const { page } = opened;
    await askForMore(opened, { hpc: 'hpc_one', project_name: 'proj_hpc_one_01', time: 1_800_000 });
    await signInAsAdministrator(opened);
    await page.goto('/console/admin/');
    await page.getByRole('button', { name: 'Approve …' }).click();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('Say why: the audit keeps it.').waitFor();
    expect(await findObstacles(page), 'an act without a reason').toEqual([]);
    await page.goto('/console/admin/grants/');
    await page.getByRole('button', { name: 'Give it' }).click();
    await page.getByText('Write the number of the user').waitFor();
    const bulk = page.getByRole('region', { name: 'Many at once' });
    await bulk
      .getByLabel('Table')
      .fill('user,project,node_hours,reason\n7,proj_hpc_one_01,1,a course\n7,proj_hpc_one_01,2,b');
    await bulk.getByRole('button', { name: 'Preview' }).click();
    await bulk.getByText('Would be: 1 granted, 1 refused.').waitFor();
    expect(await findObstacles(page), 'grants').toEqual([]);
    for (const path of administratorsPages) {
      await page.goto(`/console/admin/${path}`);
      await waitUntilLoaded(page);
      expect(await findObstacles(page), path).toEqual([]);
    }
  });
});
