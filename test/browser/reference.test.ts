import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { findProblems } from './find-problems.ts';
import { openContext, shareEdition } from './open-console.ts';

const startEdition = shareEdition();
const description = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));

async function openReference(width: number, fragment = ''): Promise<Page> {
  const { url } = await startEdition();
  const context = await openContext({ viewport: { width, height: 900 }, bypassCSP: true });
  const page = await context.newPage();
  page.on('pageerror', (error) => expect.soft(error.message).toBe(''));
  await page.goto(`${url}/docs/${fragment}`);
  return page;
}

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

describe.runIf(findChromium())('the reference', () => {
  it.each([390, 1440])('is accessible, also where it is open, %i pixels wide', async (width) => {
    const page = await openReference(width, '#submitJob');
    await page.locator('#submitJob').getByText('Fields of Payload').waitFor();
    for (const name of ['listQuotas', 'grantQuotas', 'object-Job']) {
      await page.locator(`#${name} summary`).click();
      await page.locator(`#${name}`).getByRole('table').first().waitFor();
    }
    expect(await findProblems(page, { minor: true })).toEqual([]);
    expect(await widthOf(page)).toBe(width);
  });

  it('holds all operations and objects, none wider than a phone', async () => {
    const page = await openReference(390);
    const filled = await page.evaluate(async () => {
      const entries = [...document.querySelectorAll('main details')];
      for (const entry of entries) entry.setAttribute('open', '');
      await new Promise((resolve) => setTimeout(resolve));
      return entries.filter((entry) => entry.querySelector('table, p')).length;
    });
    const objects = Object.keys(description.components.schemas).length;
    expect(filled).toBeGreaterThan(objects + 80);
    expect(await widthOf(page)).toBe(390);
  });

  it('finds an operation by keyboard alone, and has an address for it', async () => {
    const page = await openReference(1440);
    await page.keyboard.press('/');
    await page.keyboard.type('post jobs');
    await page.getByText(/^\d+ found$/).waitFor();
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#submitJob');
    const operation = page.locator('#submitJob');
    await operation.getByText('Fields of Payload').waitFor();
    expect(await page.evaluate(() => document.activeElement?.parentElement?.id)).toBe('submitJob');
    expect(await page.locator('#getBatch').isVisible()).toBe(false);
    await page.locator('#words').press('Escape');
    expect(await page.locator('#getBatch').isVisible()).toBe(true);
  });

  it('finds words that only the inside of an operation has', async () => {
    const page = await openReference(390);
    await page.getByLabel('Search').fill('carry over');
    await page.locator('#grantQuota').waitFor();
    expect(await page.locator('#submitJob').isVisible()).toBe(false);
  });

  it('opens what an address names: an operation under any of its ids, an object, a problem', async () => {
    const page = await openReference(390, '#listJobsByHpc');
    await page.locator('#listJobs').getByText('Parameters and headers').waitFor();
    await page.locator('#listJobs').getByRole('link', { name: 'Job', exact: true }).first().click();
    await page.locator('#object-Job').getByText('terminal_stage').waitFor();
    await page.goto(`${page.url().replace(/#.*/, '')}#problem-busy`);
    expect(await page.locator('#problem-busy').isVisible()).toBe(true);
  });

  it('tries an operation that reads with a token, and offers no other', async () => {
    const { token } = await startEdition();
    const page = await openReference(1440, '#listQuotas');
    const operation = page.locator('#listQuotas');
    await operation.getByRole('button', { name: 'Send request' }).click();
    await operation.getByText('GET /quotas/: 401').waitFor();
    await page.getByLabel('Token for trying').fill(token);
    await operation.getByLabel('hpc').fill('hpc_one');
    await operation.getByRole('button', { name: 'Send request' }).click();
    await operation.getByText('GET /quotas/hpc_one/: 200').waitFor();
    expect(await operation.locator('form pre').textContent()).toContain('"user": "306328"');
    await page.goto(`${page.url().replace(/#.*/, '')}#submitJob`);
    await page.locator('#submitJob').getByText('Fields of Payload').waitFor();
    expect(await page.locator('#submitJob').getByRole('button').count()).toBe(0);
  });
});
