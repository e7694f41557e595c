import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { openConsoleAt, signIn } from './open-console.ts';
import { runJobWithResults } from './run-job-with-results.ts';

const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const steps = Array.from({ length: 400 }, (_, index) => `step ${index}`);
const log = [...steps.slice(0, 200), 'Traceback: no more memory', ...steps.slice(200)].join('\n');
const large = randomBytes(6_000_000);

describe.runIf(findChromium())('the output of a job', () => {
  it('can be searched, leads to its first error, shows pictures and can be downloaded', async () => {
    const { consoleUrl, job } = await runJobWithResults([
      { name: 'stdout.txt', content: log },
      { name: 'plot.png', content: Buffer.from(dot, 'base64') },
      { name: 'noise.bin', content: large, stored: true },
      { name: 'sub/notes.txt', content: 'a note' },
    ]);
    const opened = await openConsoleAt(consoleUrl);
    const { page, url: service } = opened;
    await signIn(opened);
    await page.goto(`/console${job}`);
    await page.getByText('4 files, 6 MB').waitFor();
    await page.getByTestId('text').getByText('step 399').waitFor();

    // The view follows the output up to the first error.
    await expect.poll(() => page.getByLabel('Follow output').isChecked()).toBe(false);
    const atError = await scrolled(page);
    expect(atError).toBeGreaterThan(1000);
    await page.getByTestId('text').evaluate((box) => box.scrollTo(0, 0));
    await page.getByRole('button', { name: 'Go to first error (line 201)' }).click();
    expect(await scrolled(page)).toBe(atError);
    // At its end, too, each number stands beside its line.
    const atEnd = await page.getByTestId('text').evaluate((box) => {
      box.scrollTo(0, box.scrollHeight);
      return box.scrollTop;
    });
    const gutter = page.locator('.gutter');
    await expect.poll(() => gutter.evaluate((numbers) => numbers.scrollTop)).toBe(atEnd);
    await page.keyboard.press('/');
    await page.keyboard.type('STEP 39');
    await page.getByText('1 of 11').waitFor();
    const atFirst = await scrolled(page);
    expect(atFirst).toBeLessThan(atError);
    await page.keyboard.press('Enter');
    await page.getByText('2 of 11').waitFor();
    expect(await scrolled(page)).toBeGreaterThan(atError);
    await page.keyboard.press('Shift+Enter');
    await page.getByText('1 of 11').waitFor();
    expect(await scrolled(page)).toBe(atFirst);
    await page.getByLabel('Wrap lines').uncheck();
    expect(await page.getByTestId('text').getAttribute('class')).toBeNull();

    await page.getByRole('button', { name: 'plot.png', exact: true }).click();
    const picture = page.getByRole('img', { name: 'plot.png' });
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(1);
    await page.getByRole('button', { name: 'noise.bin', exact: true }).click();
    await page.getByText('This file is not text. Download it instead.').waitFor();

    // Large files come from the storage, to which the service redirects.
    const elsewhere = page.waitForResponse((response) => !response.url().startsWith(service));
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download noise.bin' }).click();
    expect((await elsewhere).request().redirectedFrom()?.url()).toContain('/files/hpc_one/');
    expect(readFileSync(await (await saving).path()).equals(large)).toBe(true);

    const savingAll = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download all files' }).click();
    const all = await savingAll;
    expect(all.suggestedFilename()).toMatch(/^a-title-\w{8}\.zip$/);
    const zip = readFileSync(await all.path()).toString('latin1');
    for (const name of ['stdout.txt', 'plot.png', 'noise.bin', 'sub/notes.txt']) {
      expect(zip).toContain(name);
    }
  });
});

function scrolled(page: Page): Promise<number> {
  return page.getByTestId('text').evaluate((box) => box.scrollTop);
}
