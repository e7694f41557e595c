import { Agent, request as send } from 'node:http';
import { join } from 'node:path';
import type { HttpRequest } from './http/wrk.ts';
import { type Figure, formatTable, median } from './measure/figures.ts';
import { describeJob, seedFolder, startLaptopEdition } from './measure/laptop-edition.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';
import { endedJob, seedOwner as owner } from './measure/seed-ended-jobs.ts';

/** Enough for a stable median, and few enough that the small table stays small. */
const perRound: Readonly<Record<Operation, number>> = { single: 50, 'page-100': 10, submit: 10 };

const million = 1_000_000;

export const part: Part = {
  about: `Measures how answer times grow with the table: the median for a single job, a page of 100 jobs and a
submission, with 100 and with 10,000 jobs of one user. Two laptop editions run next to each other and
answer in turn over HTTP.
`,
  options: {
    jobs: { usual: 10_000, about: 'how many jobs the large table has' },
    million: {
      usual: false,
      about: 'a third one with 1,000,000 jobs, which takes a while to load',
    },
  },
  async measure({ count, flag }) {
    const sizes = [100, count('jobs'), ...(flag('million') ? [million] : [])];
    const folder = createTemporaryFolder();
    const editions: SeededEdition[] = [];
    for (const size of sizes) editions.push(await startSeededEdition(folder, size));
    const figures: Figure[] = [];
    const rows = [['p50 ms', ...sizes.map((size) => `${size.toLocaleString('en-US')} jobs`)]];
    for (const operation of operations) {
      const medians = await measureInTurn(editions, operation, perRound[operation]);
      figures.push(...listFigures(operation, sizes, medians));
      const [smallest = Number.NaN] = medians;
      rows.push([
        operation,
        ...medians.map((time) => `${time.toFixed(2)} (${(time / smallest).toFixed(2)} x)`),
      ]);
    }
    for (const { edition } of editions) await edition.stop();
    process.stdout.write(formatTable(rows));
    return figures;
  },
};

/** Compares the larger tables with the smallest. The million has its own name. */
function listFigures(
  operation: Operation,
  sizes: readonly number[],
  medians: readonly number[],
): Figure[] {
  const [smallest = Number.NaN, ...larger] = medians;
  return [
    ...medians.map((value, index) => ({
      name: `growth.${operation}.${sizes[index]}-jobs`,
      value,
      unit: 'ms',
    })),
    ...larger.map((value, index) => ({
      name: `growth.${operation}${sizes[index + 1] === million ? '.million' : ''}`,
      value: value / smallest,
    })),
  ];
}

/** Keeps one connection open, as a busy client does. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Milliseconds from sending a request until the last byte of its answer is there. */
function timeRequest(url: string, { method, path, headers }: HttpRequest): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = send(`${url}${path}`, { method, headers, agent, timeout: 30_000 }, (answer) => {
      const { statusCode = 0 } = answer;
      answer.on('error', reject);
      answer.on('end', () => {
        if (statusCode < 300) resolve(performance.now() - began);
        else reject(new Error(`${method} ${path} was answered with ${statusCode}.`));
      });
      answer.resume();
    });
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${path} was not answered.`)));
    sent.on('error', reject);
    sent.end();
  });
}

const rounds = 20;

/**
 * Measures the median time of an operation on each edition. The editions take turns in short
 * rounds, so that other work on the machine affects all of them alike.
 */
async function measureInTurn(
  editions: readonly SeededEdition[],
  operation: Operation,
  perRound: number,
): Promise<number[]> {
  const times = editions.map((): number[] => []);
  // The first rounds let the compiler warm up.
  for (let round = -rounds / 4; round < rounds; round += 1) {
    const order = [...editions.entries()];
    // Work that continues after an answer disturbs the next edition, so the order alternates.
    if (round % 2 !== 0) order.reverse();
    for (const [index, { edition, operations }] of order) {
      for (let count = 0; count < perRound; count += 1) {
        const spent = await timeRequest(edition.url, operations[operation]());
        if (round >= 0) times[index]?.push(spent);
      }
    }
  }
  return times.map(median);
}

type SeededEdition = Awaited<ReturnType<typeof startSeededEdition>>;

const operations = ['single', 'page-100', 'submit'] as const;
type Operation = (typeof operations)[number];

/** Jobs take their full time, so that submitted jobs do not change during a measurement. */
const environment = { SIM_HOUR_SECONDS: '3600' };

/** Starts a laptop edition with one user who owns all jobs. */
async function startSeededEdition(folder: string, jobs: number) {
  const home = join(folder, String(jobs));
  await seedFolder(home, jobs);
  const edition = await startLaptopEdition(home, environment);
  const headers = edition.authorize(owner);
  const operations: Readonly<Record<Operation, () => HttpRequest>> = {
    single() {
      const { jobId, project } = endedJob(owner, 1 + Math.floor(Math.random() * jobs));
      return { method: 'GET', path: `/jobs/${project.hpc}/${project.name}/${jobId}/`, headers };
    },
    'page-100': () => ({ method: 'GET', path: '/jobs/?limit=100', headers }),
    submit: () => ({
      method: 'POST',
      path: '/jobs/hpc_one/',
      headers: { ...headers, ...describeJob({ runtime: '0.5' }) },
    }),
  };
  return { edition, operations };
}
