import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { openIssuer } from '#local/issuer.ts';
import { type Figure, formatTable, percentile } from './measure/figures.ts';
import { type LaptopEdition, startLaptopEdition } from './measure/laptop-edition.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';
import { drawMonth } from './month/draw-month.ts';
import { hoursOfMonth } from './month/plan-month.ts';
import { type Answered, openMonth } from './month/play-month.ts';
import { readJson } from './steady/ask.ts';

const administrator = '100001';
const patienceSeconds = 600;
const sampleSize = 1000;

const Living = readJson(v.array(v.unknown()));
const Timeline = readJson(
  v.object({
    stages: v.array(v.object({ stage: v.string(), since: v.string() })),
    tries: v.array(v.object({ at: v.string(), accepted: v.boolean() })),
  }),
);

export const part: Part = {
  about: `Plays a month of a centre in minutes, with the real service and two simulated clusters: people who
submit and look by day and by hour, sweeps, a course on its last evening, and a cluster that is paused for
a day. An hour of a job takes as much shorter. Prints what the gateway needs and what it adds to the waiting.
`,
  options: {
    minutes: { usual: 30, about: 'how long the month takes' },
    jobs: { usual: 20_000, about: 'how many jobs it has, about' },
    users: { usual: 500, about: 'how many people' },
    chart: { about: 'file for an SVG of the month, by day' },
  },
  async measure({ count, text }) {
    const minutes = count('minutes');
    const hourSeconds = Number(((minutes * 60) / hoursOfMonth).toFixed(3));
    const folder = createTemporaryFolder();
    const edition = await startLaptopEdition(folder, { SIM_HOUR_SECONDS: String(hourSeconds) });
    const issuer = openIssuer(join(folder, '.slipway'));
    const admin = issuer.issueToken({ user: administrator, administrator: true });
    const month = openMonth(edition, admin, { users: count('users'), jobs: count('jobs') });
    const days: Day[] = [];
    let last = { processor: edition.readProcessorSeconds() ?? 0, answers: 0, jobs: 0 };
    const clock = setInterval(
      () => {
        const processor = edition.readProcessorSeconds() ?? 0;
        const answers = month.answered.slice(last.answers);
        days.push({
          jobs: month.jobs() - last.jobs,
          requests: answers.length,
          p99: percentile(listTimes(answers), 0.99) || 0,
          processor: (100 * (processor - last.processor)) / (24 * hourSeconds),
          memory: edition.readMemory() ?? 0,
        });
        last = { processor, answers: month.answered.length, jobs: month.jobs() };
      },
      24 * hourSeconds * 1000,
    );
    await month.play(hourSeconds);
    clearInterval(clock);
    const drain = await awaitEnds(edition, admin);
    const processor = edition.readProcessorSeconds() ?? 0;
    const waits = await readWaits(edition, month.submitted);
    await edition.stop();
    const { answered, refused } = month;
    const times = listTimes(answered);
    const failed = answered.filter(({ status }) => status >= 500 || status === 0).length;
    const bytes = sumFiles(join(folder, 'data'));
    const paused = waits.filter(({ wasPaused }) => wasPaused);
    const others = waits.filter(({ wasPaused }) => !wasPaused);
    const row = (name: string, ...cells: string[]) => [name, cells.join(', ')];
    const seconds = (all: readonly { readonly seconds: number }[], share: number) =>
      `${percentile(
        all.map((each) => each.seconds),
        share,
      ).toFixed(0)} s`;
    const spread = (all: typeof waits) =>
      `p50 ${seconds(all, 0.5)}, p95 ${seconds(all, 0.95)}, p99 ${seconds(all, 0.99)}`;
    process.stdout.write(
      formatTable([
        row('month', `${minutes} minutes`, `${count('users')} people`),
        row('jobs', `${month.jobs()}`, `${refused} submissions refused`),
        row('requests', `${answered.length}`, countStatuses(answered)),
        row(
          'answers',
          ...[0.5, 0.95, 0.99].map(
            (share) => `p${share * 100} ${percentile(times, share).toFixed(0)} ms`,
          ),
        ),
        row('from submission to hand-over', `${spread(others)}, of ${others.length}`),
        row('the same, submitted during the pause', `${spread(paused)}, of ${paused.length}`),
        row('last job ended after', `${drain.toFixed(0)} s`),
        row('processor', `${processor.toFixed(0)} s`),
        row('memory', `${Math.max(...days.map(({ memory }) => memory))} MB at most`),
        row('data on disk', `${(bytes / 1e6).toFixed(0)} MB`),
      ]),
    );
    const chart = text('chart');
    if (chart !== undefined) {
      const values = (key: keyof Day) => days.map((day) => day[key]);
      writeFileSync(
        chart,
        drawMonth([
          { name: 'jobs a day', values: values('jobs'), unit: 'jobs' },
          { name: 'requests a day', values: values('requests'), unit: 'requests' },
          { name: 'answers, p99', values: values('p99'), unit: 'ms' },
          { name: 'processor', values: values('processor'), unit: '% of a core' },
          { name: 'memory', values: values('memory'), unit: 'MB' },
        ]),
      );
    }
    if (failed > 0) process.exitCode = 1;
    return listFigures({ times, failed, processor, bytes, jobs: month.jobs() });
  },
};

interface Day {
  readonly jobs: number;
  readonly requests: number;
  readonly p99: number;
  readonly processor: number;
  readonly memory: number;
}

/** `40000 x 200, 2 x 503 table-busy`; 0 stands for no answer. */
function countStatuses(answers: readonly Answered[]): string {
  const kinds = answers.map(({ status, problem }) => [status, problem].join(' ').trim());
  return [...Map.groupBy(kinds, (kind) => kind)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([kind, all]) => `${all.length} x ${kind}`)
    .join(', ');
}

function listTimes(answers: readonly Answered[]): number[] {
  return answers.map(({ ms }) => ms);
}

/** Waits until no job is active. Returns the seconds that it took. */
async function awaitEnds({ url }: LaptopEdition, admin: string): Promise<number> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const headers = { authorization: `Bearer ${admin}` };
  while (seconds() < patienceSeconds) {
    const answer = await fetch(`${url}/admin/jobs/?terminal=false&limit=1`, { headers });
    if (v.parse(Living, await answer.text()).length === 0) return seconds();
    await sleep(500);
  }
  throw new Error(`Jobs had not ended ${patienceSeconds} s after the month.`);
}

/** Reads from timelines of a sample how long jobs waited until their system had them. */
async function readWaits(
  { url, authorize }: LaptopEdition,
  submitted: readonly {
    readonly user: string;
    readonly path: string;
    readonly wasPaused: boolean;
  }[],
) {
  const step = Math.max(1, Math.floor(submitted.length / sampleSize));
  const sample = submitted.filter((_, index) => index % step === 0);
  const waits = await mapInParallel(sample, 8, async ({ user, path, wasPaused }) => {
    const answer = await fetch(`${url}${path}timeline/`, { headers: authorize(user) });
    const { stages, tries } = v.parse(Timeline, await answer.text());
    const [first] = stages;
    const handedOver = tries.find(({ accepted }) => accepted);
    if (!first || !handedOver) throw new Error(`${path} was never handed over.`);
    return { seconds: (Date.parse(handedOver.at) - Date.parse(first.since)) / 1000, wasPaused };
  });
  return waits;
}

function sumFiles(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

interface Measured {
  readonly times: readonly number[];
  readonly failed: number;
  readonly processor: number;
  readonly bytes: number;
  readonly jobs: number;
}

function listFigures({ times, failed, processor, bytes, jobs }: Measured): Figure[] {
  return [
    { name: 'month.p99', value: percentile(times, 0.99), unit: 'ms' },
    { name: 'month.failed', value: failed },
    { name: 'month.processor-per-job', value: (1000 * processor) / jobs, unit: 'ms' },
    { name: 'month.bytes-per-job', value: bytes / jobs, unit: 'bytes' },
  ];
}
