import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { openConsole, signIn } from './open-console.ts';

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

/** Each as `rule: the first place`. */
async function findObstacles(page: Page): Promise<string[]> {
  await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

describe.runIf(findChromium())('nothing is in the way of anybody', () => {
  it.each(['light', 'dark'] as const)('in %s colours', async (colorScheme) => {
    const opened = await openConsole({ colorScheme, bypassCSP: true });
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
    await page.getByRole('status').getByText('failed').waitFor();
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
});
