import { type Browser, chromium, type Page } from 'playwright-core';
import { consoleFolder } from '#console/serving/console-folder.ts';
import { findChromium } from '#test/browser/find-chromium.ts';
import { buildConsole } from '#tools/client/build-console.ts';
import { type Figure, formatTable, median } from './measure/figures.ts';
import { seedFolder, startLaptopEdition } from './measure/laptop-edition.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';
import { seedOwner } from './measure/seed-ended-jobs.ts';

/** About as long as a round of scrolling. */
const secondsIdle = 20;

export const part: Part = {
  about: `Measures how long the console's list of 10,000 jobs takes to open, and the longest task while scrolling
through all of it, in Chromium with the laptop edition.

The longest task of the page shows in every round, and delays by other programs only in some. So the
shortest of these tasks counts. An empty page shows what the machine adds.
`,
  options: {
    jobs: { usual: 10_000, about: 'how many jobs the user has' },
    times: { usual: 5, about: 'how often the list is opened and scrolled' },
  },
  async measure({ count }) {
    const executablePath = findChromium();
    if (executablePath === undefined) {
      process.stdout.write('There is no Chromium here: left out (apt-get install chromium).\n');
      return [];
    }
    const jobs = count('jobs');
    const times = count('times');
    const folder = createTemporaryFolder();
    await buildConsole(consoleFolder);
    await seedFolder(folder, jobs);
    const edition = await startLaptopEdition(folder);
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const rounds = await measureRounds(browser, edition.consoleUrl, { jobs, times });
      const idle = await browser.newPage();
      return report(jobs, rounds, await idle.evaluate(watchIdlePage, secondsIdle));
    } finally {
      await browser.close();
      await edition.stop();
    }
  },
};

interface Round extends Awaited<ReturnType<typeof scrollToEnd>> {
  /** Milliseconds from the beginning of the navigation until rows are painted. */
  readonly open: number;
}

async function measureRounds(
  browser: Browser,
  consoleUrl: string,
  { jobs, times }: { readonly jobs: number; readonly times: number },
): Promise<Round[]> {
  const context = await browser.newContext({
    baseURL: consoleUrl,
    viewport: { width: 1280, height: 900 },
  });
  const page = await context.newPage();
  await page.goto(consoleUrl);
  await signIn(page);
  await page.addInitScript(watchForRows);
  const rounds: Round[] = [];
  // The first round lets both compilers warm up.
  for (let round = 0; round <= times; round += 1) {
    await page.goto('/console/jobs/');
    const open = await page.evaluate(waitForRows);
    const scrolled = await page.evaluate(scrollToEnd, jobs);
    if (round > 0) rounds.push({ open, ...scrolled });
  }
  return rounds;
}

async function signIn(page: Page): Promise<void> {
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

declare global {
  /** When the first rows of the page were painted, in milliseconds since the navigation began. */
  var rowsPainted: Promise<number>;
}

/** Runs in the page before its own scripts. */
function watchForRows(): void {
  globalThis.rowsPainted = new Promise((resolve) => {
    const watching = new MutationObserver(() => {
      if (!document.querySelector('[data-row]')) return;
      watching.disconnect();
      // Rows are painted by the frame after the next.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
    });
    watching.observe(document, { childList: true, subtree: true });
  });
}

/** Runs in the page. */
function waitForRows(): Promise<number> {
  return globalThis.rowsPainted;
}

/**
 * Runs in the page: scrolls as fast as a held Page Down key, until the last row appears. Returns the
 * milliseconds that it took, and those of the longest task; 0 if none took 50 ms, because browsers do
 * not report shorter ones.
 */
async function scrollToEnd(jobs: number) {
  const deadlineMs = 120_000;
  const perFrame = innerHeight / 2;
  const tasks: number[] = [];
  const watching = new PerformanceObserver((list) =>
    tasks.push(...list.getEntries().map(({ duration }) => duration)),
  );
  watching.observe({ type: 'longtask' });
  const began = performance.now();
  const last = () => {
    const list = document.querySelector('.long-list');
    const row = document.querySelector('[data-row]');
    if (!list || !row) return false;
    const loaded = Math.round(list.clientHeight / row.clientHeight) >= jobs;
    return loaded && list.getBoundingClientRect().bottom <= innerHeight + 1000;
  };
  // Measuring makes the browser lay the page out, so it is done rarely.
  for (let frame = 1; frame % 20 !== 0 || !last(); frame += 1) {
    if (performance.now() - began > deadlineMs) throw new Error('The last row did not come.');
    scrollBy(0, perFrame);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  const scroll = performance.now() - began;
  // The last entries are reported a moment later.
  await new Promise((resolve) => setTimeout(resolve, 200));
  watching.disconnect();
  return { scroll, longest: Math.max(0, ...tasks) };
}

/**
 * Runs in an empty page and returns the longest task while each frame does little work. Any longer
 * task here is caused by the machine, and could lengthen a task of any page.
 */
async function watchIdlePage(seconds: number): Promise<number> {
  const tasks: number[] = [];
  const watching = new PerformanceObserver((list) =>
    tasks.push(...list.getEntries().map(({ duration }) => duration)),
  );
  watching.observe({ type: 'longtask' });
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    // About as long as a frame of the list takes.
    const end = performance.now() + 12;
    while (performance.now() < end);
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  watching.disconnect();
  return Math.max(0, ...tasks);
}
