import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { seedFolder } from '../../../bench/measure/laptop-edition.ts';
import { openHome } from '../../fixtures/edition.ts';
import { findChromium } from '../find-chromium.ts';
import { findProblems } from '../find-problems.ts';
import { openContext } from '../open-console.ts';
import { addCentre, addTenJobs, administrator, type CallAs, researcher } from './fill-service.ts';
import { findCrowded } from './find-crowded.ts';

/** Pictures of all pages are put below this folder, if there is one. */
const pictures = process.env.PICTURES;

/** Eighty pages, each checked by axe as well. */
const timeout = 1_800_000;

const ofResearchers = [
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
];

const ofAdministrators = [
  '',
  'admin/people/',
  `admin/people/${researcher}/`,
  'admin/jobs/',
  'admin/projects/',
  'admin/projects/hpc_one/proj_hpc_one_01/',
  'projects/hpc_one/proj_hpc_one_01/statement/',
  'admin/reports/',
  'admin/reports/?by=day',
  'admin/audit/',
  'admin/systems/',
  'admin/requests/',
];

const looks = [
  { width: 390, height: 844, colorScheme: 'light', language: 'de' },
  { width: 390, height: 844, colorScheme: 'dark', language: 'en' },
  { width: 1440, height: 900, colorScheme: 'light', language: 'en' },
  { width: 1440, height: 900, colorScheme: 'dark', language: 'de' },
] as const;
type Look = (typeof looks)[number];

const sizes = [
  { name: 'nothing', jobs: 0, fill: undefined },
  { name: 'ten jobs', jobs: 0, fill: addTenJobs },
  { name: '10,000 jobs', jobs: 10_000, fill: undefined },
  { name: '200 projects and 500 people', jobs: 0, fill: addCentre },
] as const;

describe.runIf(findChromium())('the console', () => {
  it.each(sizes)(
    'with $name has no page that looks lost or crowded',
    async ({ name, jobs, fill }) => {
      const home = openHome();
      if (jobs > 0) await seedFolder(home.path, jobs);
      const edition = await home.start({
        DATA_DIR: join(home.path, 'data'),
        SIM_HOUR_SECONDS: '20',
      });
      await fill?.(callsOf(edition.consoleUrl));
      const found: string[] = [];
      for (const who of [researcher, administrator]) {
        for (const look of looks) {
          found.push(...(await lookAround(edition.consoleUrl, { name, who, look })));
        }
      }
      expect(found, found.join('\n')).toEqual([]);
    },
    timeout,
  );
});

interface Visit {
  /** The name of the size. */
  readonly name: string;
  readonly who: string;
  readonly look: Look;
}

/** Opens each page that somebody has, and lists what is wrong there. */
async function lookAround(consoleUrl: string, visit: Visit): Promise<string[]> {
  const { who, look } = visit;
  const page = await open(consoleUrl, who, look);
  const found: string[] = [];
  for (const path of who === researcher ? ofResearchers : ofAdministrators) {
    await show(page, path);
    const problems = await findCrowded(page);
    await takePicture(page, visit, path);
    if (look.language === 'en') {
      problems.push(...(await findProblems(page)));
      await page.emulateMedia({ colorScheme: look.colorScheme });
    }
    const where = `${who} ${look.width} ${look.language} ${look.colorScheme} /${path}`;
    found.push(...problems.map((each) => `${where}: ${each}`));
  }
  await page.context().close();
  return found;
}

function callsOf(consoleUrl: string): CallAs {
  const { origin, hash } = new URL(consoleUrl);
  const tokens = new Map<string, string>();
  const tokenOf = async (user: string): Promise<string> => {
    const response = await fetch(`${origin}/local/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'slipway-key': hash.slice('#key='.length) },
      body: JSON.stringify({ user, administrator: user === administrator }),
    });
    const { access_token: token } = JSON.parse(await response.text());
    tokens.set(user, token);
    return token;
  };
  return async (user, method, path, { headers, body } = {}) => {
    const authorization = `Bearer ${tokens.get(user) ?? (await tokenOf(user))}`;
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization, ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text || 'null');
  };
}

async function open(consoleUrl: string, who: string, look: Look): Promise<Page> {
  const context = await openContext({
    baseURL: new URL(consoleUrl).origin,
    viewport: { width: look.width, height: look.height },
    colorScheme: look.colorScheme,
    locale: look.language === 'de' ? 'de-DE' : 'en-US',
    bypassCSP: true,
  });
  const page = await context.newPage();
  await page.goto(consoleUrl);
  await page.getByRole('button', { name: who }).click();
  await page.getByRole('heading', { level: 1, name: /^(Home|Start)$/ }).waitFor();
  return page;
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(`/console/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.title(), path).not.toMatch(/not found|nicht gefunden/);
  await expect.poll(() => page.locator('.skeleton').count(), { message: path }).toBe(0);
  await page.waitForLoadState('networkidle');
}

async function takePicture(page: Page, { name: size, who, look }: Visit, path: string) {
  if (pictures === undefined) return;
  const folder = join(pictures, size.replaceAll(/\W+/g, '-'));
  mkdirSync(folder, { recursive: true });
  const name = [who, path || 'home', look.width, look.language, look.colorScheme].join(' ');
  await page.screenshot({ path: join(folder, `${name.replaceAll(/[^\w ]+/g, '-')}.png`) });
}
