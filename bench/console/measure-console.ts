import { type Browser, chromium, type Page } from 'playwright-core';
import { consoleFolder } from '#console/serving/console-folder.ts';
import { findChromium } from '#test/browser/find-chromium.ts';
import { buildConsole } from '#tools/bundles/build-console.ts';
import type { Figure } from '../measure/figures.ts';
import { formatTable } from '../measure/format-table.ts';
import { median } from '../measure/percentile.ts';
import { readCount, runPart } from '../measure/run-part.ts';
import { startLaptopEdition } from '../measure/start-laptop-edition.ts';
import { createTemporaryFolder } from '../measure/temporary-folder.ts';
import { seedFolder } from '../seed/seed-folder.ts';
import { seedOwner } from '../seed/seed-owner.ts';
import { waitForRows, watchForRows } from './rows-painted.ts';
import { scrollToEnd } from './scroll-to-end.ts';
import { watchIdlePage } from './watch-idle-page.ts';

const help = `How long the console's list of jobs takes to open, and the longest task while somebody scrolls
through all of it, with 10,000 jobs of one user: in Chromium, before the laptop edition.

A task of the page itself is in every round; what a machine with other work adds, is in some. So of the
longest tasks the shortest counts, and an empty page that spins says what the machine added meanwhile.

  npm run -s bench:console -- [--jobs 10000] [--times 5] [--json FILE]

  --jobs          how many jobs the user has (default 10000)
  --times         how often the list is opened and scrolled (default 5)
`;

/** About as long as a round of scrolling. */
const secondsIdle = 20;

await runPart({
  help,
  options: { jobs: { type: 'string' }, times: { type: 'string' } },
  async measure(wishes) {
    const executablePath = findChromium();
    if (executablePath === undefined) {
      process.stdout.write('There is no Chromium here: left out (apt-get install chromium).\n');
      return [];
    }
    const jobs = readCount(wishes, 'jobs', 10_000);
    const times = readCount(wishes, 'times', 5);
    const folder = createTemporaryFolder();
    await buildConsole(consoleFolder);
    await seedFolder(folder, { kind: 'ended', count: jobs });
    const edition = await startLaptopEdition(folder);
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const rounds = await measureRounds(browser, edition.url, { jobs, times });
      const idle = await browser.newPage();
      return report(jobs, rounds, await idle.evaluate(watchIdlePage, secondsIdle));
    } finally {
      await browser.close();
      await edition.stop();
    }
  },
});

interface Round {
  /** Milliseconds from the beginning of the navigation until rows are painted. */
  readonly open: number;
  /** Of the longest task while it was scrolled; 0 where none took 50 ms. */
  readonly longest: number;
  /** Of the whole way to the last row. */
  readonly scroll: number;
}

async function measureRounds(
  browser: Browser,
  url: string,
  { jobs, times }: { readonly jobs: number; readonly times: number },
): Promise<Round[]> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 900 },
  });
  const page = await context.newPage();
  await signIn(page);
  await page.addInitScript(watchForRows);
  const rounds: Round[] = [];
  // The first round is for the compilers of both.
  for (let round = 0; round <= times; round += 1) {
    await page.goto('/console/jobs/');
    const open = await page.evaluate(waitForRows);
    const { longest, ms: scroll } = await page.evaluate(scrollToEnd, jobs);
    if (round > 0) rounds.push({ open, longest, scroll });
  }
  return rounds;
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/console/');
  await page.getByRole('button', { name: `Researcher ${seedOwner}` }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
}

function report(jobs: number, rounds: readonly Round[], idle: number): Figure[] {
  const open = median(rounds.map((round) => round.open));
  const longest = Math.min(...rounds.map((round) => round.longest));
  const scroll = median(rounds.map((round) => round.scroll));
  process.stdout.write(
    formatTable([
      [`${jobs.toLocaleString('en-US')} jobs`, 'counts', ...rounds.map((_, at) => `${at + 1}`)],
      ['until rows are there, ms', ...[open, ...rounds.map((round) => round.open)].map(whole)],
      ['longest task, ms', ...[longest, ...rounds.map((round) => round.longest)].map(whole)],
      ['of an empty page, ms', '', whole(idle)],
      ['to the last row, ms', ...[scroll, ...rounds.map((round) => round.scroll)].map(whole)],
    ]),
  );
  return [
    { name: 'console.open.ms', value: open, unit: 'ms' },
    { name: 'console.longest-task.ms', value: longest, unit: 'ms' },
    { name: 'console.scroll.ms', value: scroll, unit: 'ms' },
  ];
}

function whole(value: number): string {
  return value.toFixed(0);
}
