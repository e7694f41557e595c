import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { openIssuer } from '#local/issuer.ts';
import { formatTable, percentile } from './measure/figures.ts';
import { type LaptopEdition, startLaptopEdition } from './measure/laptop-edition.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';
import { hoursOfMonth } from './month/plan-month.ts';
import { type Answered, openMonth } from './month/play-month.ts';
import { drawDays, watchDays } from './month/watch-days.ts';
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
    const watch = watchDays(edition, month, hourSeconds);
    await month.play(hourSeconds);
    watch.stop();
    const drain = await awaitEnds(edition, admin);
    const processor = edition.readProcessorSeconds() ?? 0;
    const waits = await readWaits(edition, month.submitted);
    await edition.stop();
    const bytes = sumFiles(join(folder, 'data'));
    const most = Math.max(...watch.days.map(({ megabytes }) => megabytes));
    const [paused = [], others = []] = [true, false].map((wanted) =>
      waits.filter(({ wasPaused }) => wasPaused === wanted).map(({ seconds }) => seconds),
    );
    const times = month.answered.map(({ ms }) => ms);
    process.stdout.write(
      formatTable([
        ['month', `${minutes} minutes, ${count('users')} people`],
        ['jobs', `${month.jobs()}, ${month.refused} submissions refused`],
        ['requests', `${times.length}, ${countStatuses(month.answered)}`],
        ['answers', describeSpread(times, 'ms')],
        ['from submission to hand-over', describeSpread(others, 's')],
        ['the same, submitted during the pause', describeSpread(paused, 's')],
        ['last job ended after', `${drain.toFixed(0)} s`],
        ['processor', `${processor.toFixed(0)} s`],
        ['memory', `${most} MB at most`],
        ['data on disk', `${(bytes / 1e6).toFixed(0)} MB`],
      ]),
    );
    const chart = text('chart');
    if (chart !== undefined) writeFileSync(chart, drawDays(watch.days));
    const failed = month.answered.filter(({ status }) => status >= 500 || status === 0).length;
    if (failed > 0) process.exitCode = 1;
    const jobs = month.jobs();
    return [
      { name: 'month.p99', value: percentile(times, 0.99), unit: 'ms' },
      { name: 'month.failed', value: failed },
      { name: 'month.processor-per-job', value: (1000 * processor) / jobs, unit: 'ms' },
      { name: 'month.bytes-per-job', value: bytes / jobs, unit: 'bytes' },
    ];
  },
};

function describeSpread(values: readonly number[], unit: string): string {
  const shares = [0.5, 0.95, 0.99].map(
    (share) => `p${share * 100} ${percentile(values, share).toFixed(0)} ${unit}`,
  );
  return `${shares.join(', ')}, of ${values.length}`;
}

/** `40000 x 200, 2 x 503 table-busy`; 0 stands for no answer. */
function countStatuses(answers: readonly Answered[]): string {
  const kinds = answers.map(({ status, problem }) => [status, problem].join(' ').trim());
  return [...Map.groupBy(kinds, (kind) => kind)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([kind, all]) => `${all.length} x ${kind}`)
    .join(', ');
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
