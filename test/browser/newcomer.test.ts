import { describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { openConsole, signIn } from './open-console.ts';
import { runStudy, showFile } from './run-study.ts';

describe.runIf(findChromium())('the first job of a newcomer', () => {
  it('computes, and shows its picture, its table and its chart', async () => {
    const opened = await openConsole({}, { SYSTEMS: 'machine' });
    const { page } = opened;
    await signIn(opened);
    await runStudy(page);
    await page.getByText('step 6000 of 6000').first().waitFor();
    await showFile(page, 'pattern.png');
    const sizeOf = (name: string) =>
      page
        .getByRole('img', { name })
        .evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0));
    await expect.poll(() => sizeOf('pattern.png')).toBe(512);
    await showFile(page, 'growth.csv');
    await page.getByRole('columnheader', { name: 'covered' }).waitFor();
    await showFile(page, 'growth.svg');
    await expect.poll(() => sizeOf('growth.svg')).toBeGreaterThan(0);
  });
});
