import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { consoleFolder } from '#console/serving/console-folder.ts';
import { findChromium } from '#test/browser/find-chromium.ts';
import { buildConsole } from '#tools/client/build-console.ts';
import { type Figure, formatTable, median } from './measure/figures.ts';
import { describeJob, startLaptopEdition } from './measure/laptop-edition.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';

const version = '13.5.0';
const categories = ['performance', 'accessibility', 'best-practices'] as const;

/** What is needed of the browser that Lighthouse brings. */
interface Page {
  goto(url: string): Promise<unknown>;
  waitForSelector(selector: string): Promise<{ click(): Promise<void> }>;
}

interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

type Launch = (options: { executablePath: string; args: string[] }) => Promise<Browser>;
type Audit = (url: string, flags: object, config: undefined, page: Page) => Promise<unknown>;

const isFunction = (value: unknown) => typeof value === 'function';
const Puppeteer = v.object({ default: v.object({ launch: v.custom<Launch>(isFunction) }) });
const Lighthouse = v.object({ default: v.custom<Audit>(isFunction) });
const Result = v.object({
  lhr: v.object({
    categories: v.record(v.string(), v.object({ score: v.nullable(v.number()) })),
    audits: v.object({
      'first-contentful-paint': v.object({ numericValue: v.optional(v.number()) }),
    }),
  }),
});

const Job = v.object({ project_name: v.string(), job_id: v.string() });

export const part: Part = {
  about: `Lets Lighthouse judge pages of the console and the reference as a phone loads them, in Chromium with
the laptop edition: performance, accessibility and best practices, each the median of several times, of
100, and the seconds until the first view. Lighthouse ${version} is installed from the registry of npm into a
temporary folder.
`,
  options: {
    times: { usual: 5, about: 'how often each page is loaded' },
    desk: { usual: false, about: 'as a computer on a desk loads them, instead of a phone' },
  },
  async measure({ count, flag }) {
    const executablePath = findChromium();
    if (executablePath === undefined) {
      process.stdout.write('There is no Chromium here: left out (apt-get install chromium).\n');
      return [];
    }
    const folder = createTemporaryFolder();
    execFileSync('npm', ['install', '--silent', '--prefix', folder, `lighthouse@${version}`]);
    const load = (path: string) => import(pathToFileURL(join(folder, 'node_modules', path)).href);
    const { default: audit } = v.parse(Lighthouse, await load('lighthouse/core/index.js'));
    const { default: puppeteer } = v.parse(
      Puppeteer,
      await load('puppeteer-core/lib/puppeteer/puppeteer-core.js'),
    );
    await buildConsole(consoleFolder);
    const edition = await startLaptopEdition(folder);
    const submitted = edition.call('306328', '/jobs/hpc_one/', {
      method: 'POST',
      headers: describeJob(),
    });
    const { project_name: project, job_id: id } = v.parse(Job, await submitted);
    const pages = {
      home: '/console/',
      jobs: '/console/jobs/',
      submit: '/console/submit/',
      quotas: '/console/quotas/',
      job: `/console/jobs/hpc_one/${project}/${id}/`,
      docs: '/docs/',
    };
    const device = flag('desk') ? desk : {};
    const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.goto(edition.consoleUrl);
      await (await page.waitForSelector('button.main')).click();
      await page.waitForSelector('nav.navigation');
      const scores: Scores[] = [];
      for (const [name, path] of Object.entries(pages)) {
        const { href } = new URL(path, edition.consoleUrl);
        const rounds: Awaited<ReturnType<typeof judge>>[] = [];
        for (let round = 0; round < count('times'); round += 1) {
          rounds.push(
            await judge((flags) => audit(href, { ...flags, ...device }, undefined, page)),
          );
        }
        scores.push({
          name,
          medians: categories.map((each) => median(rounds.map((r) => r[each]))),
          firstView: median(rounds.map((r) => r.firstView)),
        });
      }
      return report(scores);
    } finally {
      await browser.close();
      await edition.stop();
    }
  },
};

interface Scores {
  readonly name: string;
  /** In the order of the categories, of 100. */
  readonly medians: readonly number[];
  /** Seconds. */
  readonly firstView: number;
}

/** The settings of Lighthouse for a computer on a desk. A phone is its default. */
const desk = {
  formFactor: 'desktop',
  screenEmulation: { mobile: false, width: 1350, height: 940, deviceScaleFactor: 1 },
  throttling: { rttMs: 40, throughputKbps: 10_240, cpuSlowdownMultiplier: 1 },
};

/** Loads a page in the tab that is signed in. */
async function judge(audit: (flags: object) => Promise<unknown>) {
  const flags = { disableStorageReset: true, logLevel: 'error', onlyCategories: categories };
  const { lhr } = v.parse(Result, await audit(flags));
  const { numericValue: firstView } = lhr.audits['first-contentful-paint'];
  if (firstView === undefined)
    throw new Error('The page was not painted: the machine is too busy.');
  const of = (category: string) => Math.round(100 * (lhr.categories[category]?.score ?? 0));
  return {
    performance: of('performance'),
    accessibility: of('accessibility'),
    'best-practices': of('best-practices'),
    firstView: firstView / 1000,
  };
}

function report(scores: readonly Scores[]): Figure[] {
  const rows = scores.map(({ name, medians, firstView }) => [
    name,
    ...medians.map(String),
    firstView.toFixed(1),
  ]);
  process.stdout.write(formatTable([['page', ...categories, 'first view, s'], ...rows]));
  return scores.flatMap(({ name, medians }) =>
    categories.map((each, at) => ({
      name: `lighthouse.${name}.${each}`,
      value: medians[at] ?? 0,
    })),
  );
}
