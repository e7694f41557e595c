import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';
import { catalogFile } from '../fixtures/catalog.ts';
import { dropFolder } from './drop-folder.ts';
import { findChromium } from './find-chromium.ts';
import {
  type OpenedConsole,
  openConsole,
  signIn,
  submitBatch,
  waitUntilLoaded,
} from './open-console.ts';

/** Writes the catalog of the tests with more about its first system. Returns the file. */
function writeCatalog(more: object): string {
  const written = JSON.parse(readFileSync(catalogFile, 'utf8'));
  const [first, ...others] = written.systems;
  const folder = mkdtempSync(join(tmpdir(), 'slipway-catalog-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'catalog.json');
  writeFileSync(file, JSON.stringify({ ...written, systems: [{ ...first, ...more }, ...others] }));
  return file;
}

/** Sums what moved on a page by itself, as browsers measure it. */
function sumShifts(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const { promise, resolve } = Promise.withResolvers<PerformanceEntryList>();
    new PerformanceObserver((list) => resolve(list.getEntries())).observe({
      type: 'layout-shift',
      buffered: true,
    });
    // The observer says nothing if nothing has moved.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve([])));
    const entries = await promise;
    return entries.reduce((sum, entry) => sum + Number(Reflect.get(entry, 'value')), 0);
  });
}

async function countUsed({ url, token }: OpenedConsole): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/usage/?by=project`, { headers });
  const rows: unknown = await response.json();
  return Array.isArray(rows) ? rows.length : 0;
}

const pages = ['', 'jobs/', 'batches/', 'submit/', 'quotas/', 'requests/', 'webhooks/', 'nowhere/'];

describe.runIf(findChromium())('the console', () => {
  it('fits a phone of 320 pixels on every page', async () => {
    const opened = await openConsole({ viewport: { width: 320, height: 640 } });
    const { page } = opened;
    await signIn(opened);
    const batch = await submitBatch(opened, { title: 'a long title of a sweep', count: 200 });
    for (const path of [...pages, batch.slice('/console/'.length)]) {
      await page.goto(`/console/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, path).toBe(320);
    }
  });

  it.each([
    { path: '', late: 'usage' },
    { path: '', late: 'hpc' },
    { path: 'quotas/', late: 'usage' },
    { path: 'quotas/', late: 'hpc' },
    { path: 'quotas/', late: 'quotas' },
  ])('moves nothing on /console/$path when /$late/ answers last', async ({ path, late }) => {
    const opened = await openConsole({ viewport: { width: 412, height: 823 } });
    const { page, url } = opened;
    await signIn(opened);
    await submitBatch(opened, { title: 'a sweep', count: 2 });
    await expect.poll(() => countUsed(opened)).toBeGreaterThan(0);
    const others = ['usage', 'hpc', 'quotas'].filter((each) => each !== late);
    const answered = Promise.withResolvers<void>();
    await page.route(`${url}/${late}/*`, async (route) => {
      await answered.promise;
      await route.continue();
    });
    const answers = others.map((each) =>
      page.waitForResponse((response) => response.url().startsWith(`${url}/${each}/`)),
    );
    await page.goto(`/console/${path}`);
    await Promise.all(answers);
    await page.getByRole('status', { name: 'Loading' }).first().waitFor();
    answered.resolve();
    await waitUntilLoaded(page);
    await page.getByRole('heading', { name: /days/ }).waitFor();
    expect(await sumShifts(page)).toBe(0);
  });

  it('says on every page what operators announce, as plain text', async () => {
    const announcement = 'Maintenance on <b>Monday</b>, 8 to 12 h.';
    const opened = await openConsole({}, { CATALOG: writeCatalog({ announcement }) });
    const { page } = opened;
    await signIn(opened);
    for (const path of ['', 'submit/', 'quotas/']) {
      await page.goto(`/console/${path}`);
      await page.getByText(`hpc_one ${announcement}`).waitFor();
    }
  });

  it('lists the data of a system beside the command, and puts a path into it', async () => {
    const letters = { name: 'letters', path: '/data/letters', description: 'All letters.' };
    const datasets = [
      { ...letters, bytes: 1_500_000_000, licence: 'CC BY 4.0' },
      { ...letters, name: 'others', projects: ['somebody_else'] },
    ];
    const opened = await openConsole({}, { CATALOG: writeCatalog({ datasets }) });
    const { page } = opened;
    await signIn(opened);
    await page.goto('/console/submit/');
    await page.getByLabel('Command').fill('wc -l');
    await page.getByText('Data on this system').click();
    await page.getByText('All letters. Size: 1.5 GB. Licence: CC BY 4.0').waitFor();
    await page.getByRole('button', { name: 'Insert the path of' }).click();
    expect(await page.getByLabel('Command').inputValue()).toBe('wc -l /data/letters');
  });

  it('works with the keyboard alone', async () => {
    const opened = await openConsole();
    const { page } = opened;
    const { keyboard } = page;
    await page.getByRole('button', { name: 'Researcher 306328' }).focus();
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    for (const title of ['first', 'second']) {
      await keyboard.press('n');
      await page.getByLabel('Command').focus();
      await keyboard.type('ls');
      await page.getByLabel('Title').focus();
      await keyboard.type(title);
      await keyboard.press('Enter');
      await page.getByRole('heading', { name: title }).waitFor();
    }
    await keyboard.press('g');
    await keyboard.press('j');
    await page.getByText('2 jobs').waitFor();
    await keyboard.press('j');
    await keyboard.press('j');
    await keyboard.press('k');
    await keyboard.press('j');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'first' }).waitFor();
    await keyboard.press('?');
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    await keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor({ state: 'hidden' });
    // On a page without a search, the key leads to the search for jobs.
    await keyboard.press('g');
    await keyboard.press('q');
    await page.getByRole('heading', { level: 1, name: 'Quotas' }).waitFor();
    await keyboard.press('/');
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    await keyboard.press('/');
    await keyboard.type('sec');
    await page.getByText('1 job', { exact: true }).waitFor();
  });

  it('reloads once if a release has replaced its parts, and then offers a reload', async () => {
    const opened = await openConsole();
    const { page } = opened;
    await signIn(opened);
    const shared = await page.locator('link[rel=modulepreload]').getAttribute('href');
    await page.route('**/assets/part-*.js', (route) =>
      new URL(route.request().url()).pathname === shared
        ? route.continue()
        : route.fulfill({ status: 404 }),
    );
    // A newer console has scripts with other names.
    await page.route('**/console/', (route) => route.fulfill({ body: '<p>Another release</p>' }));
    const loads: string[] = [];
    page.on('load', () => loads.push(page.url()));
    await page.keyboard.press('n');
    await page.getByText('This page did not load').waitFor();
    expect(loads).toHaveLength(1);
    await page.unroute('**/assets/part-*.js');
    await page.getByRole('button', { name: 'Reload page' }).click();
    await page.getByLabel('Command').waitFor();
  });

  it('uploads a large folder to the storage', async () => {
    const opened = await openConsole();
    const { page } = opened;
    await signIn(opened);
    const folder = mkdtempSync(join(tmpdir(), 'slipway-study-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'noise.bin'), randomBytes(6_000_000));
    await page.goto('/console/submit/');
    await dropFolder(page, page.getByRole('region', { name: 'Input' }), folder);
    await page.getByText('1 file').waitFor();
    await page.getByLabel('Command').fill('ls');
    await page.getByLabel('Title').fill('large');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: 'Submit job' }).click();
    expect(new URL((await sent).url()).host).not.toBe(new URL(opened.url).host);
    await page.getByRole('heading', { name: 'large' }).waitFor();
  });

  it('loads unchanged lists rarely, and nothing in a hidden tab', async () => {
    const opened = await openConsole();
    const { page } = opened;
    await signIn(opened);
    await page.clock.install();
    await page.goto('/console/jobs/');
    await page.getByText('No jobs yet.').waitFor();
    const again = page.waitForResponse(
      (response) => response.url().includes('/jobs/?') && response.status() === 304,
    );
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await again;
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.clock.runFor(120_000);
    expect(asked).toEqual([]);
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: false, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect.poll(() => asked.length).toBeGreaterThan(0);
  });
});

describe.runIf(findChromium())('a page of another origin', () => {
  it('can call the service if CORS allows it, and read the request id', async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>portal</title>');
    });
    const { endpoint: portal, close } = await listenOnLoopback(server, 0);
    onTestFinished(close);
    const { page, url, token } = await openConsole({}, { CORS_ORIGINS: portal });
    await page.goto(portal);
    const read = await page.evaluate(
      async ([address, bearer]) => {
        const answer = await fetch(`${address}/quotas/`, {
          headers: { authorization: `Bearer ${bearer}`, 'if-none-match': '"x"' },
        });
        return { status: answer.status, id: answer.headers.get('apigw-requestid') };
      },
      [url, token],
    );
    expect(read).toEqual({ status: 200, id: expect.stringMatching(/^\w{16}$/) });
  });
});
