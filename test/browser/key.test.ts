import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';
import { type Edition, end, openHome } from '../fixtures/edition.ts';
import { findChromium } from './find-chromium.ts';
import {
  inMemory,
  launchChromium,
  openConsoleAt,
  openContext,
  shareEdition,
  signIn,
} from './open-console.ts';

const howTo = 'Open the address that npm start printed, or paste it here.';

const sharedEdition = shareEdition();

describe.runIf(findChromium())('the key of the laptop edition', () => {
  it('leaves the address bar at once, and is known after a reload and in a new tab', async () => {
    const { consoleUrl } = await sharedEdition();
    expect(new URL(consoleUrl).hash).toMatch(/^#key=[\w-]{43}$/);
    const asked: string[] = [];
    const { page } = await openConsoleAt(consoleUrl);
    page.on('request', (request) => asked.push(request.url()));
    await signIn({ page });
    expect(new URL(page.url()).href).toBe(new URL('/console/', consoleUrl).href);
    await page.goBack();
    expect(page.url()).not.toContain('key');
    await page.goto('/console/jobs/');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto('/console/');
    await tab.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(asked.filter((url) => url.includes('key'))).toEqual([]);
  });

  it('is asked for if it is missing, and can be pasted', async () => {
    const { url, consoleUrl } = await sharedEdition();
    const opened = await openConsoleAt(`${url}/console/`);
    const { page } = opened;
    await page.getByText(howTo).waitFor();
    expect(await page.getByRole('button', { name: 'Researcher 306328' }).count()).toBe(0);
    await page.getByLabel('Address or key').fill('306328');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This is not a key.').waitFor();
    await page.getByLabel('Address or key').fill('k'.repeat(43));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Researcher 306328' }).click();
    await page.getByText('The service has another key than the one you used.').waitFor();
    await page.getByLabel('Address or key').fill(consoleUrl);
    await page.getByRole('button', { name: 'Continue' }).click();
    await signIn(opened);
  });

  it('is asked for if the address lost a part of it, and is mended there', async () => {
    const { consoleUrl } = await sharedEdition();
    const opened = await openConsoleAt(consoleUrl.slice(0, -1));
    const { page } = opened;
    await page.getByText('This is not a key.').waitFor();
    const field = page.getByLabel('Address or key');
    expect(await field.inputValue()).toBe(consoleUrl.slice(0, -1));
    await field.press('End');
    await field.pressSequentially(consoleUrl.slice(-1));
    await page.getByRole('button', { name: 'Continue' }).click();
    await signIn(opened);
    expect(page.url()).not.toContain('key');
  });

  it('is taken from the printed address even if the page is open already', async () => {
    const { url, consoleUrl } = await sharedEdition();
    const opened = await openConsoleAt(`${url}/console/`);
    const { page } = opened;
    await page.getByText(howTo).waitFor();
    await page.evaluate((address) => location.assign(address), consoleUrl);
    await signIn(opened);
    expect(page.url()).not.toContain('key');
  });

  it('is asked for again after it was made anew', async () => {
    const home = openHome();
    const first = await home.start(inMemory);
    const opened = await openConsoleAt(first.consoleUrl);
    const { page } = opened;
    await signIn(opened);
    await end(first.child, 'SIGTERM');
    rmSync(join(home.path, '.slipway/key'));
    const { port } = new URL(first.url);
    const second = await home.start({ ...inMemory, PORT: port });
    expect(second.consoleUrl).not.toBe(first.consoleUrl);
    await page.reload();
    await page.getByText(howTo).waitFor();
    // The person is known, so the new key is enough.
    await page.evaluate((address) => location.assign(address), second.consoleUrl);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });
});

describe.runIf(findChromium())('a page of another site', () => {
  it('gets no token and starts no job, not even with a stolen key and token', async () => {
    const edition = await openHome().start(inMemory);
    let log = '';
    edition.child.stdout?.on('data', (chunk) => {
      log += chunk;
    });
    const page = await openPage();
    await page.goto(await openSite());
    const { read, blind } = await tryEverything(page, edition.url, edition);
    expect([read, blind.length]).toEqual([[], 6]);
    // Browsers ask before most of these requests, and those questions are refused too.
    await expect.poll(() => log.trim().split('\n')).toHaveLength(6);
    expect(log.trim().split('\n')).toEqual(Array(6).fill(expect.stringMatching(/ 403 \d+ ms$/)));
    expect(await countJobs(edition)).toBe(0);
  });

  it('is refused even if the request needs no preflight', async () => {
    const { url } = await sharedEdition();
    const page = await openPage();
    await page.goto(await openSite());
    const [refused] = await Promise.all([
      page.waitForResponse(`${url}/jobs/hpc_one/`),
      page.evaluate(
        (address) => fetch(address, { method: 'POST', mode: 'no-cors', body: '{}' }).then(() => 0),
        `${url}/jobs/hpc_one/`,
      ),
    ]);
    expect(refused.status()).toBe(403);
  });

  it('can link to the console', async () => {
    const { page, url } = await openConsoleAt((await sharedEdition()).consoleUrl);
    await page.goto(await openSite());
    await page.evaluate((address) => location.assign(address), `${url}/console/jobs/`);
    await page.getByRole('button', { name: 'Researcher 306328' }).waitFor();
  });
});

describe.runIf(findChromium())('a name that was rebound to this machine', () => {
  it('gets no token and starts no job', async () => {
    const edition = await sharedEdition();
    const page = await openPage('--host-resolver-rules=MAP evil.example 127.0.0.1');
    const rebound = `http://evil.example:${new URL(edition.url).port}`;
    expect((await page.goto(`${rebound}/console/`))?.status()).toBe(403);
    // To the browser this page has the same origin, so it reads the answers: all are refusals.
    const { read, blind } = await tryEverything(page, rebound, edition);
    expect([read, blind]).toEqual([Array(6).fill(403), []]);
    expect(await countJobs(edition)).toBe(0);
  });
});

/** Opens an empty page, in a Chromium of its own if there are words for its command line. */
async function openPage(...words: string[]): Promise<Page> {
  if (words.length === 0) return (await openContext()).newPage();
  const browser = await launchChromium(...words);
  onTestFinished(() => browser.close());
  return browser.newPage();
}

/** Serves an empty page from an origin of its own. */
async function openSite(): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>another site</title>');
  });
  const { endpoint, close } = await listenOnLoopback(server, 0);
  onTestFinished(close);
  return endpoint;
}

/** Tries from a page to get a token and to submit a job. Returns the statuses that it could read. */
function tryEverything(page: Page, url: string, { token, consoleUrl }: Edition) {
  const key = new URL(consoleUrl).hash.replace('#key=', '');
  const job = { command: 'ls', node_number: 1, core_number: 1, runtime: 0.1, title: 'stolen' };
  return page.evaluate(
    async ({ address, bearer, key, payload }) => {
      const body = '{"user":"306328"}';
      const json = { 'content-type': 'application/json' };
      const submission = {
        authorization: bearer,
        'content-disposition': 'attachment; filename=job_file.zip',
        payload,
      };
      const attempts: [string, RequestInit][] = [
        ['/local/token', { method: 'POST', body, headers: json }],
        ['/local/token', { method: 'POST', body, headers: { ...json, 'slipway-key': key } }],
        ['/local/token', { method: 'POST', body }],
        ['/jobs/hpc_one/', { method: 'POST', headers: submission }],
        ['/quotas/', { headers: { authorization: bearer } }],
        ['/status/', {}],
      ];
      const read: number[] = [];
      const blind: string[] = [];
      for (const [path, init] of attempts) {
        try {
          read.push((await fetch(`${address}${path}`, init)).status);
        } catch (error) {
          blind.push(String(error));
        }
      }
      return { read, blind };
    },
    { address: url, bearer: `Bearer ${token}`, key, payload: JSON.stringify(job) },
  );
}

async function countJobs({ url, token }: Edition): Promise<number> {
  const answer = await fetch(`${url}/jobs/`, { headers: { authorization: `Bearer ${token}` } });
  const jobs: unknown = await answer.json();
  return Array.isArray(jobs) ? jobs.length : Number.NaN;
}
