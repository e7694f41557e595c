import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildZip } from '../fixtures/build-zip.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { pollUntil } from './poll-until.ts';
import type { Wishes } from './researcher.ts';
import { type ServiceOnSlurm, startServiceOn } from './service.ts';
import {
  type Accounted,
  compareCharges,
  passSeconds,
  printTable,
  readFinalAccounting,
  type Tried,
  TriedJobs,
} from './tried-jobs.ts';

/** A grant of a minute: less cannot be given. */
const aMinute = 0.000_001;

/**
 * How long packing and sending may take on a busy machine. The outage is much longer, so a job that
 * pays for it is seen.
 */
const slackSeconds = 6;

let cluster: Cluster;
let slipway: ServiceOnSlurm;
let tried: TriedJobs;

beforeAll(async () => {
  cluster = await startCluster({ hasAccounting: true });
  slipway = await startServiceOn(cluster, { keepsData: true });
  tried = new TriedJobs(slipway);
}, 300_000);

afterAll(async () => {
  await slipway?.close();
  await cluster?.close();
}, 60_000);

function submit(
  what: string,
  script: string,
  command: number | undefined,
  wishes: Wishes = {},
): Promise<Tried> {
  return tried.submit(what, script, command, { runtime: aMinute, ...wishes });
}

async function submitMany(
  what: string,
  seconds: readonly number[],
  script: (seconds: number) => string,
  wishes: Wishes = {},
): Promise<Tried[]> {
  const jobs: Tried[] = [];
  for (const each of seconds) jobs.push(await submit(what, script(each), each, wishes));
  return jobs;
}

async function submitEndless(what: string, count: number, wishes: Wishes = {}): Promise<Tried[]> {
  const jobs: Tried[] = [];
  while (jobs.length < count) jobs.push(await submit(what, 'sleep 300', undefined, wishes));
  return jobs;
}

/** Thirteen that come to their end by themselves, and one that Slurm refuses. */
async function submitOrdinary(): Promise<void> {
  await submitMany('success', [1, 2, 3, 4, 5, 6], (seconds) => `sleep ${seconds}`);
  await submitMany('exit 3', [1, 2, 3], (seconds) => `sleep ${seconds}; exit 3`);
  await submitMany('killed by a signal', [2], (seconds) => `sleep ${seconds}; kill -9 $$`);
  const zip = buildZip([{ name: 'in.txt', content: 'forty-two' }]);
  await submitMany('with input', [1, 2, 3], (seconds) => `sleep ${seconds}; cat in.txt`, { zip });
  await submit('impossible', 'true', undefined, { nodes: 50 });
}

async function cancelSome(): Promise<void> {
  const running = await submitEndless('cancelled while it runs', 3);
  await tried.waitForRunning(running);
  await tried.cancelAll(running);
  await tried.cancelAll(await submitEndless('cancelled at once', 2));
  const queued = await submitEndless('cancelled in the queue', 2, { cores: 16 });
  for (const { who, path } of queued) {
    await pollUntil('Slurm lets it wait', 60, async () => {
      return (await who.readTimeline(path)).reason?.includes('Slurm says') || undefined;
    });
  }
  await tried.cancelAll(queued);
}

/** Commands end while the service is away: their scripts wait on the node to send the results. */
async function interruptService(): Promise<void> {
  const what = 'outage of the service';
  // Their scripts try for minutes, so they are granted minutes.
  const wishes = { runtime: 0.1 };
  const jobs = await submitMany(what, [8, 9, 10], (seconds) => `sleep ${seconds}`, wishes);
  await tried.waitForRunning(jobs);
  await slipway.stop();
  await passSeconds(40);
  await slipway.start();
  // Slurm counts a job until its controller hears of the end, so that must not be away next.
  await tried.waitFor(jobs);
}

/** Jobs run on while nobody can ask for them, and are cancelled meanwhile. */
async function interruptController(): Promise<void> {
  const what = 'outage of slurmctld';
  const blind = await submitMany(what, [30, 35], (seconds) => `sleep ${seconds}`);
  const doomed = await submitEndless('cancelled while slurmctld is away', 2);
  await tried.waitForRunning([...blind, ...doomed]);
  await cluster.stopController();
  await tried.cancelAll(doomed);
  await passSeconds(20);
  await cluster.startController();
}

interface Row extends Tried, Pick<Accounted, 'state' | 'elapsed'> {
  readonly used: number;
  readonly reason: string;
}

async function readRows(): Promise<Row[]> {
  const accounting = await readFinalAccounting(cluster);
  return Promise.all(
    tried.all.map(async (job) => {
      const record = accounting.find(({ name }) => name === job.jobId);
      const { state = 'none', elapsed = 0 } = record ?? {};
      return { ...job, state, elapsed, ...(await tried.readCharge(job)) };
    }),
  );
}

function expectFairCharge({ what, elapsed, command = 0, grant, used }: Row): void {
  if (what !== 'outage of the service') {
    expect(used, `${what}: ${elapsed} s of ${grant}`).toBe(Math.min(elapsed, grant));
    return;
  }
  expect(elapsed, `${what}: the script waited`).toBeGreaterThan(command + slackSeconds);
  expect(used, what).toBeGreaterThanOrEqual(command);
  expect(used, what).toBeLessThanOrEqual(command + slackSeconds);
}

describe('thirty jobs on a real Slurm', () => {
  it('are charged what the accounting says, and not for our outage', async () => {
    // First, because Slurm enforces its limits late.
    await submitEndless('over its limit', 2);
    await submitOrdinary();
    await cancelSome();
    // None of these may meet the outage.
    await tried.waitFor(tried.all.filter(({ what }) => what !== 'over its limit'));
    await interruptService();
    await interruptController();
    await tried.waitFor(tried.all);
    expect(tried.all).toHaveLength(30);

    const rows = await readRows();
    printTable([
      ['job', 'sacct', 'elapsed', 'command', 'grant', 'charged', 'why'],
      ...rows.map(({ what, state, elapsed, command = '', grant, used, reason }) => {
        const why = used === Math.min(elapsed, grant) ? '' : reason;
        return [what, state, elapsed, command, grant, used, why];
      }),
    ]);
    for (const row of rows) expectFairCharge(row);

    const comparison = await compareCharges(slipway);
    expect(comparison?.compared).toBe(30);
    expect(comparison?.differences).toHaveLength(3);
    expect(comparison?.differences.every(({ isExplained }) => isExplained)).toBe(true);
  }, 900_000);
});
