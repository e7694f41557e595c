import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { type Edition, openHome } from '../fixtures/edition.ts';
import { findChromium } from './find-chromium.ts';

export interface OpenedConsole {
  readonly page: Page;
  /** The address of the laptop edition. */
  readonly url: string;
  readonly token: string;
  /** Returns a token for anybody. */
  readonly tokenOf: (user: string, administrator?: boolean) => Promise<string>;
}

const patienceMs = 60_000;

/** The environment of a laptop edition. */
export const inMemory = { DATA_DIR: 'memory', SIM_HOUR_SECONDS: '20' };

let launched: Browser | undefined;
afterAll(() => launched?.close());

/** Starts a Chromium, which the caller closes. */
export function launchChromium(...words: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', ...words],
  });
}

/**
 * Opens a context until the test ends. It shares nothing with other contexts but the Chromium of its file,
 * which takes a second of a processor to start.
 */
export async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  if (!launched?.isConnected()) launched = await launchChromium();
  const context = await launched.newContext(options);
  context.setDefaultTimeout(patienceMs);
  onTestFinished(() => context.close());
  return context;
}

/** Starts a laptop edition and a browser at its sign-in. Fails the test on any error of the page. */
export async function openConsole(
  options: BrowserContextOptions = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<OpenedConsole> {
  const { consoleUrl, token } = await openHome().start({ ...inMemory, ...environment });
  const opened = await openConsoleAt(consoleUrl, options);
  return { ...opened, token, tokenOf: (...who) => askForToken(consoleUrl, ...who) };
}

async function askForToken(
  consoleUrl: string,
  user: string,
  administrator = false,
): Promise<string> {
  const { origin, hash } = new URL(consoleUrl);
  const response = await fetch(`${origin}/local/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'slipway-key': hash.slice('#key='.length) },
    body: JSON.stringify({ user, administrator }),
  });
  const answer: unknown = await response.json();
  if (typeof answer === 'object' && answer && 'access_token' in answer) {
    return String(answer.access_token);
  }
  throw new Error('No token was sent.');
}

/** Starts one laptop edition for the tests of a file which leave nothing there that another one sees. */
export function shareEdition(): () => Promise<Edition> {
  const home = openHome(afterAll);
  let started: Promise<Edition> | undefined;
  return () => {
    started ??= home.start(inMemory);
    return started;
  };
}

/** Opens a browser at the sign-in of a running service, by the address with its key. */
export async function openConsoleAt(
  consoleUrl: string,
  options: BrowserContextOptions = {},
): Promise<Omit<OpenedConsole, 'token' | 'tokenOf'>> {
  const url = new URL(consoleUrl).origin;
  const wrong: string[] = [];
  onTestFinished(() => expect(wrong).toEqual([]));
  const context = await openContext({ baseURL: url, ...options });
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => wrong.push(message));
  page.on('console', (message) => {
    // The page shows refused requests itself. Violated policies must fail the test.
    const refused = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !refused) wrong.push(message.text());
  });
  await page.goto(consoleUrl);
  return { page, url };
}

export async function signIn({ page }: Pick<OpenedConsole, 'page'>): Promise<void> {
  await page.getByRole('button', { name: 'Researcher 306328' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
}

export async function signInAsAdministrator({ page }: OpenedConsole): Promise<void> {
  await page.getByRole('button', { name: 'Administrator 100001' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
}

/** Sends a request for more as the researcher, without the console. */
export async function askForMore({ url, token }: OpenedConsole, request: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${url}/quotas/`, { headers });
  const response = await fetch(`${url}/requests/`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...request, reason: 'a course in spring' }),
  });
  expect(response.status).toBe(201);
}

/** Waits for the heading and for all lists. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
}

/** Waits for the stage in the head of a job's page, not in an announcement. */
export async function waitForStage(page: Page, word: string): Promise<void> {
  const head = page.getByRole('status').filter({ has: page.locator('.stage') });
  await head.getByText(word).waitFor();
}

export interface Wanted {
  /** Ids of jobs that it waits for. */
  readonly after?: readonly string[];
  readonly title: string;
  readonly hpc?: 'hpc_one' | 'hpc_two';
  /** On hpc_one. */
  readonly command?: string;
  /** Hours. */
  readonly runtime?: number;
}

/** Submits a job as the researcher, without the console. */
export async function submitJob(
  { url, token }: OpenedConsole,
  { title, hpc = 'hpc_one', command = 'ls', runtime = 0.1, after }: Wanted,
): Promise<void> {
  const program = hpc === 'hpc_one' ? { command } : { tool: 'NEURON74_TG' };
  const fields = { ...program, node_number: 2, core_number: 1, runtime, title, after };
  const response = await fetch(`${url}/jobs/${hpc}/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-disposition': 'attachment; filename=job_file.zip',
      payload: JSON.stringify(fields),
    },
  });
  expect(response.status).toBe(201);
}

/** Submits a batch by number on hpc_one as the researcher. Returns the path of its page. */
export async function submitBatch(
  { url, token }: OpenedConsole,
  { title, count, runtime = 0.1 }: { title: string; count: number; runtime?: number },
): Promise<string> {
  const fields = { command: 'ls', node_number: 1, core_number: 1, runtime, title, count };
  const response = await fetch(`${url}/batches/hpc_one/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-disposition': 'attachment; filename=job_file.zip',
      payload: JSON.stringify(fields),
    },
  });
  expect(response.status).toBe(201);
  return `/console${new URL(response.headers.get('location') ?? '').pathname}`;
}
