import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { type Figure, formatTable } from './measure/figures.ts';
import { describeJob, type LaptopEdition, startLaptopEdition } from './measure/laptop-edition.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';

const Memory = v.object({ rss: v.number(), live: v.number(), external: v.number() });

const Job = v.object({ project_name: v.string(), job_id: v.string() });

interface Sample {
  readonly rss: number;
  /** The heap of the requests, and that of the jobs' lives, after their last full collection. */
  readonly requests: number;
  readonly lives: number;
  readonly external: number;
  readonly minute: number;
  readonly rounds: number;
}

const users = 64;
const zip = readFileSync(join(import.meta.dirname, '../docs/examples/job_file.zip'));
const reporter = join(import.meta.dirname, 'report-memory.ts');

const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);

const kinds = [
  { name: 'rss', value: ({ rss }: Sample) => rss / 2 ** 20 },
  { name: 'requests', value: ({ requests }: Sample) => requests / 2 ** 20 },
  { name: 'lives', value: ({ lives }: Sample) => lives / 2 ** 20 },
  { name: 'external', value: ({ external }: Sample) => external / 2 ** 20 },
] as const;

export const part: Part = {
  about: `The memory of the laptop edition under steady load: so many rounds a second, each by the next of
64 users, with data on disk. A round submits a short job with a small zip, reads it, a list of jobs
and the quotas, and the jobs live on to their settlement. Every few minutes it prints the memory of
the process and what full collections left of the heaps of its two threads, and in the end how fast
each grew in the second half.
`,
  options: {
    minutes: { usual: 60, about: 'how long' },
    rounds: { usual: 5, about: 'rounds a second, four requests each' },
    every: { usual: 5, about: 'minutes between two lines' },
  },
  async measure({ count }) {
    const minutes = count('minutes');
    const perSecond = count('rounds');
    const every = count('every');
    const folder = createTemporaryFolder();
    const edition = await startLaptopEdition(folder, {
      NODE_OPTIONS: `--import=${reporter}`,
    });
    const load = putLoad(edition, perSecond);
    const samples: Sample[] = [];
    process.stdout.write('minute  rounds  RSS MB  requests MB  lives MB  external MB\n');
    const began = performance.now();
    for (let minute = 0; minute <= minutes; minute += every) {
      const left = began + minute * 60_000 - performance.now();
      // The first line describes a service that has just started.
      await sleep(Math.max(minute === 0 ? 2000 : 0, left));
      const sample = { minute, rounds: load.rounds(), ...readMemory(folder) };
      samples.push(sample);
      process.stdout.write(describe(sample));
    }
    await load.stop();
    await edition.stop();
    process.stdout.write(summarize(samples));
    if (load.failures() > 0) {
      process.stdout.write(`INVALID: ${load.failures()} requests failed: ${load.firstFailure()}\n`);
      process.exitCode = 1;
    }
    return listFigures(samples);
  },
};

function readMemory(folder: string): Pick<Sample, 'rss' | 'requests' | 'lives' | 'external'> {
  const read = (name: string) =>
    v.parse(v.pipe(v.string(), v.parseJson(), Memory), readFileSync(join(folder, name), 'utf8'));
  const { rss, live, external } = read('memory.json');
  return { rss, requests: live, lives: read('memory-lives.json').live, external };
}

/**
 * Sends rounds by the clock, not as fast as answers come, so that a slow minute has the same load.
 */
function putLoad(edition: LaptopEdition, perSecond: number) {
  let rounds = 0;
  let failures = 0;
  let firstFailure: unknown;
  let running = 0;
  const timer = setInterval(() => {
    const user = String(500_001 + (rounds % users));
    rounds += 1;
    running += 1;
    playRound(edition, user)
      .catch((error: unknown) => {
        failures += 1;
        firstFailure ??= error;
      })
      .finally(() => {
        running -= 1;
      });
  }, 1000 / perSecond);
  return {
    rounds: () => rounds,
    failures: () => failures,
    firstFailure: () => firstFailure,
    async stop() {
      clearInterval(timer);
      for (let tries = 0; running > 0 && tries < 100; tries += 1) await sleep(100);
    },
  };
}

async function playRound({ call }: LaptopEdition, user: string): Promise<void> {
  const submitted = await call(user, '/jobs/hpc_one/', {
    method: 'POST',
    headers: { ...describeJob({ runtime: '0.05' }), 'content-type': 'application/zip' },
    body: new Uint8Array(zip),
  });
  const { project_name: project, job_id: id } = v.parse(Job, submitted);
  await call(user, `/jobs/hpc_one/${project}/${id}/`);
  await call(user, '/jobs/?limit=20');
  await call(user, '/quotas/');
}

function describe({ minute, rounds, rss, requests, lives, external }: Sample): string {
  const memory = [rss, requests, lives, external].map(megabytes);
  const cells = [String(minute), String(rounds), ...memory];
  const widths = [6, 8, 8, 13, 10, 13];
  return `${cells.map((cell, place) => cell.padStart(widths[place] ?? 0)).join('')}\n`;
}

/**
 * Returns megabytes an hour over the second half, by least squares, because one high value is not a
 * trend.
 */
function slopeOf(samples: readonly Sample[], value: (sample: Sample) => number): number {
  const half = samples.slice(Math.floor(samples.length / 2));
  const middle = half.reduce((sum, { minute }) => sum + minute, 0) / half.length;
  const mean = half.reduce((sum, sample) => sum + value(sample), 0) / half.length;
  const spread = half.reduce((sum, { minute }) => sum + (minute - middle) ** 2, 0);
  const shared = half.reduce(
    (sum, sample) => sum + (sample.minute - middle) * (value(sample) - mean),
    0,
  );
  return spread === 0 ? Number.NaN : (shared / spread) * 60;
}

function summarize(samples: readonly Sample[]): string {
  return formatTable([
    ['', 'first MB', 'last MB', 'MB an hour in the second half'],
    ...kinds.map(({ name, value }) => [
      name,
      ...[samples[0], samples.at(-1)].map((sample) => (sample ? value(sample).toFixed(0) : '')),
      slopeOf(samples, value).toFixed(1),
    ]),
  ]);
}

function listFigures(samples: readonly Sample[]): Figure[] {
  const last = samples.at(-1);
  return kinds.flatMap(({ name, value }) => [
    ...(last ? [{ name: `steady.${name}`, value: value(last), unit: 'MB' }] : []),
    { name: `steady.${name}.slope`, value: slopeOf(samples, value), unit: 'MB an hour' },
  ]);
}
