import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { findProblems } from './find-problems.ts';
import { openConsoleAt, shareEdition, submitJob } from './open-console.ts';

const headings = {
  '': 'Start',
  'jobs/': 'Jobs',
  'submit/': 'Job einreichen',
  'quotas/': 'Kontingente',
  'webhooks/': 'Webhooks',
  'notifications/': 'Benachrichtigungen',
};

describe.runIf(findChromium())('in German, the console', () => {
  const shared = shareEdition();

  it('has room for its words of stages', async () => {
    const edition = await shared();
    const { page } = await openConsoleAt(edition.consoleUrl, {
      locale: 'de-DE',
      viewport: { width: 1440, height: 900 },
    });
    await page.getByRole('button', { name: '306328 (Forschung)' }).click();
    await page.getByRole('heading', { name: 'Start' }).waitFor();
    const opened = { ...edition, page, tokenOf: async () => edition.token };
    await submitJob(opened, { title: 'sim:fail' });
    await page.goto('/console/jobs/');
    const row = page.locator('.rows .job-row').filter({ hasText: 'sim:fail' });
    const stage = row.getByText('fehlgeschlagen');
    await stage.waitFor();
    expect(await endOfText(stage)).toBeLessThan(await startOf(row.locator('.title')));
  });

  it('has no English sentence on the pages of a researcher, and stays accessible', async () => {
    const edition = await shared();
    const { page } = await openConsoleAt(edition.consoleUrl, { bypassCSP: true });
    const english = await listEnglish();
    const check = async (name: string) => {
      await expect.poll(() => page.locator('.skeleton').count(), { message: name }).toBe(0);
      expect(await page.locator('html').getAttribute('lang'), name).toBe('de');
      const shown = await readTexts(page);
      expect(
        english.filter((text) => shown.includes(text)),
        name,
      ).toEqual([]);
      expect(await findProblems(page, { minor: true }), name).toEqual([]);
    };
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: '306328 (Forschung)' }).waitFor();
    await check('sign-in');
    await page.getByRole('button', { name: '306328 (Forschung)' }).click();
    await page.getByRole('heading', { name: 'Start' }).waitFor();
    await submitJob({ ...edition, page, tokenOf: async () => edition.token }, { title: 'Probe' });
    for (const [path, heading] of Object.entries(headings)) {
      await page.goto(`/console/${path}`);
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      await check(path);
    }
    await page.goto('/console/jobs/');
    await page.getByRole('link', { name: 'Probe' }).click();
    await page.getByRole('heading', { level: 1, name: 'Probe' }).waitFor();
    await page.locator('.stage').getByText('fertig').first().waitFor();
    await check('a job');
  });

  it('opens for a browser that prefers it, and can be left', async () => {
    const { consoleUrl } = await shared();
    const { page } = await openConsoleAt(consoleUrl, { locale: 'de-DE' });
    await page.getByRole('button', { name: '306328 (Forschung)' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByRole('button', { name: 'Researcher 306328' }).waitFor();
    await page.goto('/console/');
    await page.getByRole('button', { name: 'Researcher 306328' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });
});

describe.runIf(findChromium())('in a language made by a program, the console', () => {
  const shared = shareEdition();

  it('has no text that bypasses the catalogues', async () => {
    const edition = await shared();
    const { page } = await openConsoleAt(edition.consoleUrl, { bypassCSP: true, locale: 'de-DE' });
    await page.route(`**/${findGerman()}`, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `import { language as german } from '${route.request().url()}?as-it-is'; ${markAll}`,
      }),
    );
    await page.reload();
    await page.getByRole('button', { name: '306328' }).click();
    await page.getByRole('heading', { level: 1, name: '⟦Start⟧' }).waitFor();
    await submitJob({ ...edition, page, tokenOf: async () => edition.token }, { title: 'Probe 1' });
    const leaks: Record<string, readonly string[]> = {};
    const check = async (name: string) => {
      await expect.poll(() => page.locator('.skeleton').count(), { message: name }).toBe(0);
      const unmarked = await listUnmarked(page);
      leaks[name] = unmarked.filter((text) => !names.test(text));
    };
    for (const [path, heading] of Object.entries(headings)) {
      await page.goto(`/console/${path}`);
      await page.getByRole('heading', { level: 1, name: `⟦${heading}⟧`, exact: true }).waitFor();
      await check(path);
    }
    await page.goto('/console/jobs/');
    await page.getByRole('link', { name: 'Probe 1' }).click();
    await page.getByRole('heading', { level: 1, name: 'Probe 1' }).waitFor();
    await page.locator('.stage').getByText('⟦fertig⟧').first().waitFor();
    await check('a job');
    await page.goto('/console/jobs/hpc_one/proj_hpc_one_01/00000000-0000-4000-8000-000000000000/');
    await page.getByRole('alert').waitFor();
    await check('no job');
    expect(leaks).toEqual(Object.fromEntries(Object.keys(leaks).map((name) => [name, []])));
    expect(Object.keys(leaks)).toHaveLength(Object.keys(headings).length + 2);
  });
});

/** Where the words end, which may be beyond their column. */
function endOfText(of: Locator): Promise<number> {
  return of.evaluate((element) => {
    const words = document.createRange();
    words.selectNodeContents(element);
    return words.getBoundingClientRect().right;
  });
}

async function startOf(of: Locator): Promise<number> {
  return (await of.boundingBox())?.x ?? expect.fail('It is not shown.');
}

/** Finds the part with the German words, which the tests before these have built. */
function findGerman(): string {
  const folder = join(import.meta.dirname, '..', '..', 'console', 'dist', 'assets');
  const found = globSync('part-*.js', { cwd: folder }).find((name) =>
    /as language\};?\s*$/.test(readFileSync(join(folder, name), 'utf8')),
  );
  if (found === undefined) throw new Error('The console has no German.');
  return found;
}

/** Puts marks around each word of each message. Parameters stay, and so do the words that people type. */
const markAll = `
  const mark = (text) =>
    text.split(/(\\{\\w+\\})/).map((part) => (/^\\{|^\\s*$/.test(part) ? part : '⟦' + part + '⟧')).join('');
  const markEach = (value) =>
    typeof value === 'string'
      ? mark(value)
      : Array.isArray(value)
        ? value.map(markEach)
        : Object.fromEntries(Object.entries(value).map(([key, each]) => [key, key.startsWith('typed.') ? each : markEach(each)]));
  export const language = { ...german, tell: mark, catalogues: markEach(german.catalogues) };
`;

const months = Array.from({ length: 12 }, (_, month) =>
  new Intl.DateTimeFormat('de', { month: 'long' }).format(new Date(2027, month, 1)),
);

/** Data and names: months, events, addresses, files, words of systems, and what the catalog says. */
const names = new RegExp(
  `^(Slipway|English|Probe|${months.join('|')}|[a-z]+(\\.[a-z-]+)+|stdout|stderr|https:\\/\\/\\S+|A batch scheduler: .*|[A-Z]+:?|·\\s+UTC)$`,
);

/** Lists texts with words that no mark surrounds, besides names, numbers and what files hold. */
async function listUnmarked(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement?.closest('script, style, pre, code, noscript')) continue;
      texts.push(node.textContent ?? '');
    }
    for (const name of ['aria-label', 'title', 'placeholder']) {
      for (const each of document.querySelectorAll(`[${name}]`)) {
        texts.push(each.getAttribute(name) ?? '');
      }
    }
    return texts
      .map((text) =>
        text
          .replaceAll(/⟦[^⟧]*⟧/g, ' ')
          .replaceAll(/\S*[\d_@]\S*/g, ' ')
          .trim(),
      )
      .filter((text) => /\p{L}{3,}/u.test(text));
  });
}

/** Lists the English messages of two or more words that German writes in another way. */
async function listEnglish(): Promise<readonly string[]> {
  const root = join(import.meta.dirname, '..', '..');
  const { language } = await import('#console/src/german/german.ts');
  const translated = new Set(Object.values(language.catalogues).flatMap(listTexts));
  const files = globSync('console/src/**/words.ts', { cwd: root });
  const modules = await Promise.all(files.map((file) => import(join(root, file))));
  const texts = modules.flatMap((each: object) => Object.values(each)).flatMap(listTexts);
  expect(texts.length).toBeGreaterThan(300);
  return [...new Set(texts)].filter((text) => !translated.has(text));
}

function listTexts(catalogue: unknown): string[] {
  if (typeof catalogue !== 'object' || catalogue === null) return [];
  return Object.values(catalogue).filter(
    (text) => typeof text === 'string' && !text.includes('{') && /\S \S/.test(text),
  );
}

/** What can be read on a page, also on hover and by screen readers. */
async function readTexts(page: Page): Promise<string> {
  return page.evaluate(() => {
    const named = ['aria-label', 'title', 'placeholder'].flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)].map((each) => each.getAttribute(name)),
    );
    return [document.title, document.body.innerText, ...named].join('\n');
  });
}
