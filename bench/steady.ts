import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { type Figure, formatTable } from './measure/figures.ts';
import { type LaptopEdition, startLaptopEdition } from './measure/laptop-edition.ts';
import { type Part, readCount } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';

const help = `The memory of the laptop edition under steady load: so many rounds a second, each by the next of
64 users, with data on disk. A round submits a short job with a small zip, reads it, a list of jobs
and the quotas, and the jobs live on to their settlement. Every few minutes it prints the memory of
the process and what full collections left of the heaps of its two threads, and in the end how fast
each grew in the second half.

  npm run -s bench:steady -- [--minutes 60] [--rounds 5] [--every 5] [--json FILE]

  --minutes       how long (default 60)
  --rounds        rounds a second, four requests each (default 5)
  --every         minutes between two lines (default 5)
`;

const Memory = v.object({ rss: v.number(), live: v.number(), external: v.number() });

interface Sample {
  readonly rss: number;
  /** The heap of the requests, and that of the jobs' lives, after their last full collection. */
  readonly requests: number;
  readonly lives: number;
  readonly external: number;
  readonly minute: number;
  readonly rounds: number;
}

const users = Array.from({ length: 64 }, (_, index) => String(500_001 + index));
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
  help,
  options: {
    minutes: { type: 'string' },
    rounds: { type: 'string' },
    every: { type: 'string' },
  },
  async measure(options) {
    const minutes = readCount(options, 'minutes', 60);
    const perSecond = readCount(options, 'rounds', 5);
    const every = readCount(options, 'every', 5);
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
function putLoad({ url, issuer }: LaptopEdition, perSecond: number) {
  let rounds = 0;
  let failures = 0;
  let firstFailure: unknown;
  let running = 0;
  const headers = users.map((user) => ({
    authorization: `Bearer ${issuer.issueToken({ user, hours: 48 })}`,
  }));
  const timer = setInterval(() => {
    const mine = headers[rounds % headers.length] ?? {};
    rounds += 1;
    running += 1;
    playRound(url, mine)
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

async function playRound(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const submitted = await ask(`${url}/jobs/hpc_one/`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename=job_file.zip',
      payload: JSON.stringify({
        command: 'python3 main.py',
        node_number: '1',
        core_number: '4',
        runtime: '0.05',
        title: 'a job title',
      }),
    },
    body: new Uint8Array(zip),
  });
  const location = submitted.headers.get('location') ?? '';
  await ask(new URL(location, url).href, { headers });
  await ask(`${url}/jobs/?limit=20`, { headers });
  await ask(`${url}/quotas/`, { headers });
}

async function ask(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
  return answer;
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
