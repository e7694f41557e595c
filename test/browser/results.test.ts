import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findChromium } from './find-chromium.ts';
import {
  openConsole,
  openConsoleAt,
  openContext,
  signIn,
  submitJob,
  waitForStage,
} from './open-console.ts';
import { runJobWithResults } from './run-job-with-results.ts';

/** An SVG that tries what a page could do. As an image it can do none of it. */
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80" onload="top.hacked = 1">
  <script>top.hacked = 1; fetch('/status/?from=svg')</script>
  <image href="/status/?from=svg" width="10" height="10"/>
  <rect width="120" height="80" fill="steelblue"/>
</svg>`;

const table = Array.from({ length: 2500 }, (_, index) => `${index},${index / 4},"run, ${index}"`);
const csv = `step,energy,name\n${table.join('\n')}\n`;
const lines = Array.from({ length: 80_000 }, (_, index) => `line ${index} of a long log`);
const long = [...lines.slice(0, 50_000), 'fatal: no space left', ...lines.slice(50_000)].join('\n');

describe.runIf(findChromium())('the results of a job', () => {
  it('are shown as pictures, tables and pages of text', async () => {
    const pictures = await drawPictures();
    const { consoleUrl, job } = await runJobWithResults([
      { name: 'stdout.txt', content: 'done\n' },
      ...pictures.map(({ type, bytes }) => ({ name: `plot.${type}`, content: bytes })),
      { name: 'drawing.svg', content: svg },
      { name: 'broken.png', content: 'not a picture' },
      { name: 'table.csv', content: csv },
      { name: 'table.tsv', content: 'a\tb\n1\t2,5\n' },
      { name: 'long.log', content: long },
      { name: 'page.html', content: '<h1>not a page</h1><script>top.hacked = 1</script>' },
    ]);
    const opened = await openConsoleAt(consoleUrl);
    const { page } = opened;
    await signIn(opened);
    await page.goto(`/console${job}`);
    const show = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));

    for (const { type, size } of pictures) {
      await show(`plot.${type}`);
      await expect.poll(() => sizeOf(page, `plot.${type}`)).toEqual(size);
    }
    await show('drawing.svg');
    await expect.poll(() => sizeOf(page, 'drawing.svg')).toEqual([120, 80]);
    // Opened in a tab of its own, this address is not a page of the console either.
    const address = await page.getByRole('img', { name: 'drawing.svg' }).getAttribute('src');
    expect(address).toMatch(/^data:image\/svg\+xml;/);
    await show('broken.png');
    await page.getByText('This picture is not complete yet.').waitFor();
    await show('page.html');
    await page.getByTestId('text').getByText('<h1>not a page</h1>').waitFor();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(asked.filter((url) => url.includes('from=svg'))).toEqual([]);

    await show('table.csv');
    await page.getByText('The first 1,000 rows').waitFor();
    await page.getByRole('columnheader', { name: 'energy' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(1001);
    expect(await cellsOf(page, 10)).toEqual(['9', '2.25', 'run, 9']);
    await page.getByRole('button', { name: 'Show 1,000 more rows' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(2001);
    await page.getByRole('button', { name: 'Show 1,000 more rows' }).click();
    await page.getByText('2,500 rows', { exact: true }).waitFor();
    await page.getByText('energy: from 0 to 624.75 over 2,500 rows').waitFor();
    expect(await cellsOf(page, 2500)).toEqual(['2499', '624.75', 'run, 2499']);
    await page.getByLabel('Show as text').check();
    await page.getByTestId('text').getByText('step,energy,name').waitFor();
    await show('table.tsv');
    await page.getByRole('columnheader', { name: 'b' }).waitFor();
    expect(await cellsOf(page, 1)).toEqual(['1', '2,5']);

    await page.setViewportSize({ width: 320, height: 640 });
    for (const name of ['table.csv', 'long.log', 'drawing.svg']) {
      await show(name);
      await page.locator('.cells, .pager, .picture').first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(320);
    }
    await page.setViewportSize({ width: 1280, height: 800 });

    await show('long.log');
    // The job still runs, so the view follows its output up to the first error.
    await page.getByText('Page 3 of 4').waitFor();
    await page.getByRole('button', { name: 'First page' }).click();
    await page.getByText('Page 1 of 4').waitFor();
    const text = page.getByTestId('text');
    expect(await text.textContent()).toMatch(/^line 0 of a long log\n/);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('Page 2 of 4').waitFor();
    expect(await text.textContent()).not.toContain('line 0 of a long log\n');
    await page.getByRole('button', { name: 'Last page' }).click();
    expect(await text.textContent()).toMatch(/line 79999 of a long log$/);
    await page.getByRole('button', { name: 'Go to first error (line 50001)' }).click();
    await page.getByText('Page 3 of 4').waitFor();
    expect(await text.evaluate((box) => box.scrollTop)).toBeGreaterThan(1000);
    // The search finds a line on another page, and goes there.
    await page.getByRole('searchbox', { name: 'Search in long.log' }).fill('line 123 of');
    await page.getByText('Page 1 of 4').waitFor();
    await page.getByText('1 of 1', { exact: true }).waitFor();
  });

  it('are shown while the job really runs, and grow', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-signs-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const opened = await openConsole({}, { SYSTEMS: 'machine' });
    const { page } = opened;
    const command = `
      wait_for() { while [ ! -e ${folder}/$1 ]; do sleep 0.1; done; }
      printf 'step,energy\\n0,0\\n1,0.5\\n' > energy.csv
      printf '${svg.slice(0, 100).replaceAll('\n', ' ')}' > plot.svg
      wait_for more
      printf '2,1\\n3,1.5\\n' >> energy.csv
      printf '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>' > plot.svg
      wait_for end`;
    await submitJob(opened, { title: 'growing', command });
    await signIn(opened);
    await page.getByRole('link', { name: 'growing' }).first().click();
    const show = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await show('plot.svg');
    await page.getByText('This picture is not complete yet.').waitFor();
    await show('energy.csv');
    await page.getByText('2 rows', { exact: true }).waitFor();
    writeFileSync(join(folder, 'more'), '');
    await page.getByText('4 rows', { exact: true }).waitFor();
    expect(await cellsOf(page, 4)).toEqual(['3', '1.5']);
    await show('plot.svg');
    await expect.poll(() => sizeOf(page, 'plot.svg')).toEqual([30, 20]);
    writeFileSync(join(folder, 'end'), '');
    await waitForStage(page, 'done');
    await expect.poll(() => sizeOf(page, 'plot.svg')).toEqual([30, 20]);
  });
});

async function sizeOf(page: Page, name: string): Promise<number[]> {
  const picture = page.getByRole('img', { name });
  return picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
}

function cellsOf(page: Page, row: number): Promise<string[]> {
  return page.getByRole('row').nth(row).getByRole('cell').allTextContents();
}

const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** Draws the same picture in every form that browsers write, and takes a GIF as it is. */
async function drawPictures() {
  const page = await (await openContext()).newPage();
  const drawn = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 120, height: 80 });
    const pen = canvas.getContext('2d');
    if (pen) pen.fillStyle = 'teal';
    pen?.fillRect(10, 10, 80, 40);
    return ['png', 'jpeg', 'webp'].map((type) => ({
      type,
      url: canvas.toDataURL(`image/${type}`),
    }));
  });
  const bytesOf = (base64 = '') => Buffer.from(base64, 'base64');
  return [
    ...drawn.map(({ type, url }) => ({ type, size: [120, 80], bytes: bytesOf(url.split(',')[1]) })),
    { type: 'gif', size: [1, 1], bytes: bytesOf(gif) },
  ];
}
