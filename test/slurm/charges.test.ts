import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildZip } from '../fixtures/build-zip.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { pollUntil } from './poll-until.ts';
import { Researcher, type Wishes } from './researcher.ts';
import { type ServiceOnSlurm, startServiceOn } from './service.ts';

/** A grant of a minute: less cannot be given. */
const aMinute = 0.000_001;

/**
 * How long packing and sending may take on a busy machine. The outage is much longer, so a job that
 * pays for it is seen.
 */
const slackSeconds = 6;

let cluster: Cluster;
let slipway: ServiceOnSlurm;

beforeAll(async () => {
  cluster = await startCluster({ hasAccounting: true });
  slipway = await startServiceOn(cluster, { keepsData: true });
}, 300_000);

afterAll(async () => {
  await slipway?.close();
  await cluster?.close();
}, 60_000);

interface Tried {
  readonly what: string;
  readonly who: Researcher;
  readonly path: string;
  readonly jobId: string;
  /** Seconds that its command takes, where it comes to its end. */
  readonly command: number | undefined;
  readonly grant: number;
}

interface Accounted {
  readonly state: string;
  readonly elapsed: number;
}

interface Charged {
  readonly used: number;
  readonly isSettled: boolean;
  readonly reason: string;
}

const tried: Tried[] = [];

/** Everybody has a quota of their own. */
async function submit(
  what: string,
  script: string,
  command: number | undefined,
  wishes: Wishes = {},
): Promise<Tried> {
  const user = String(2000 + tried.length);
  const { url, issuer } = slipway.service;
  const who = new Researcher({ url, token: issuer.issueToken({ user }), user });
  const { path, body } = await who.submit(script, { runtime: aMinute, ...wishes });
  const grant = Math.round((await who.read<{ runtime: number }>(path)).runtime * 3600);
  const job = { what, who, path, jobId: body.job_id, command, grant };
  tried.push(job);
  return job;
}

async function readCharge({ who, jobId }: Tried): Promise<Charged> {
  const ledger = '/quotas/hpc_one/proj_hpc_one_01/ledger/';
  const sums = await who.read<JobSum[]>(`${ledger}?sum=job`);
  const { held, used, returned } = sums.find(({ job_id }) => job_id === jobId) ?? noSum;
  const lines = await who.read<{ kind: string; reason: string }[]>(ledger);
  const settlement = lines.find(({ kind }) => kind === 'settle');
  const isSettled = settlement !== undefined && used.time + returned.time === held.time;
  return { used: used.time, isSettled, reason: settlement?.reason ?? '' };
}

interface JobSum {
  readonly job_id: string;
  readonly held: { readonly time: number };
  readonly used: { readonly time: number };
  readonly returned: { readonly time: number };
}

const noSum = { held: { time: 0 }, used: { time: 0 }, returned: { time: 0 } };

/** What slurmdbd has of our jobs. */
async function readAccounting(): Promise<Map<string, Accounted>> {
  const fields = 'JobName%40,State%20,ElapsedRaw';
  const lines = await cluster.ask('sacct', '-a', '-n', '-P', '-X', '-S', 'now-1days', '-o', fields);
  const records = lines.split('\n').map((line) => {
    const [name = '', state = '', elapsed = ''] = line.split('|');
    return [name, { state: state.split(' ')[0] ?? '', elapsed: Number(elapsed) }] as const;
  });
  return new Map(records);
}

async function waitFor(jobs: readonly Tried[]): Promise<void> {
  for (const job of jobs) {
    await job.who.waitForEnd(job.path, 240);
    await pollUntil(`${job.what} is settled`, 240, async () => {
      return (await readCharge(job)).isSettled || undefined;
    });
  }
}

function printTable(rows: readonly (readonly (string | number)[])[]): void {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => String(row[at]).length)));
  const lines = rows.map((row) =>
    row.map((cell, at) => String(cell).padEnd(widths?.[at] ?? 0)).join('  '),
  );
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
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

async function waitForRunning(jobs: readonly Tried[]): Promise<void> {
  for (const { who, path } of jobs) await who.waitForStage(path, 'RUNNING');
}

async function cancelAll(jobs: readonly Tried[]): Promise<void> {
  for (const { who, path } of jobs) await who.cancel(path);
}

async function passSeconds(seconds: number): Promise<void> {
  const end = Date.now() + seconds * 1000;
  const isOver = async () => Date.now() >= end || undefined;
  await pollUntil(`${seconds} seconds are over`, seconds + 5, isOver);
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
  await waitForRunning(running);
  await cancelAll(running);
  await cancelAll(await submitEndless('cancelled at once', 2));
  const queued = await submitEndless('cancelled in the queue', 2, { cores: 16 });
  for (const { who, path } of queued) {
    await pollUntil('Slurm lets it wait', 60, async () => {
      return (await who.readTimeline(path)).reason?.startsWith('Slurm says') || undefined;
    });
  }
  await cancelAll(queued);
}

/** Commands end while the service is away: their scripts wait on the node to send the results. */
async function interruptService(): Promise<void> {
  const what = 'outage of the service';
  // Their scripts try for minutes, so they are granted minutes.
  const wishes = { runtime: 0.1 };
  const jobs = await submitMany(what, [8, 9, 10], (seconds) => `sleep ${seconds}`, wishes);
  await waitForRunning(jobs);
  await slipway.stop();
  await passSeconds(40);
  await slipway.start();
  // Slurm counts a job until its controller hears of the end, so that must not be away next.
  await waitFor(jobs);
}

/** Jobs run on while nobody can ask for them, and are cancelled meanwhile. */
async function interruptController(): Promise<void> {
  const what = 'outage of slurmctld';
  const blind = await submitMany(what, [30, 35], (seconds) => `sleep ${seconds}`);
  const doomed = await submitEndless('cancelled while slurmctld is away', 2);
  await waitForRunning([...blind, ...doomed]);
  await cluster.stopController();
  await cancelAll(doomed);
  await passSeconds(20);
  await cluster.startController();
}

interface Row extends Tried, Accounted {
  readonly used: number;
  readonly reason: string;
}

async function readRows(): Promise<Row[]> {
  const accounting = await pollUntil('slurmdbd has all that ran', 60, async () => {
    const records = await readAccounting();
    const isOpen = ({ state }: Accounted) => /RUNNING|PENDING|COMPLETING/.test(state);
    return [...records.values()].some(isOpen) ? undefined : records;
  });
  return Promise.all(
    tried.map(async (job) => {
      const accounted = accounting.get(job.jobId) ?? { state: 'none', elapsed: 0 };
      return { ...job, ...accounted, ...(await readCharge(job)) };
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

async function compare() {
  const { compareWithSystem, describeComparison, readPeriod } = await import(
    '#tools/reconcile/compare-with-system.ts'
  );
  const { catalog, findSystem } = await import('#lib/catalog/catalog.ts');
  const { openConnector } = await import('#lib/hpc/open/open-connector.ts');
  const { openSecrets } = await import('#lib/hpc/credentials.ts');
  const system = findSystem(catalog, 'hpc_one');
  const openCredentials = openSecrets(JSON.parse(process.env.HPC_SECRETS ?? '{}'));
  const options = { simulatedHourSeconds: 60, openCredentials };
  const connector = openConnector(slipway.table, system, options);
  const given = { system, projects: system.projects, connector };
  const comparison = await compareWithSystem(slipway.table, given, readPeriod());
  process.stdout.write(`${describeComparison('hpc_one', comparison)}\n`);
  return comparison;
}

describe('thirty jobs on a real Slurm', () => {
  it('are charged what the accounting says, and not for our outage', async () => {
    // First, because Slurm enforces its limits late.
    await submitEndless('over its limit', 2);
    await submitOrdinary();
    await cancelSome();
    // None of these may meet the outage.
    await waitFor(tried.filter(({ what }) => what !== 'over its limit'));
    await interruptService();
    await interruptController();
    await waitFor(tried);
    expect(tried).toHaveLength(30);

    const rows = await readRows();
    printTable([
      ['job', 'sacct', 'elapsed', 'command', 'grant', 'charged', 'why'],
      ...rows.map(({ what, state, elapsed, command = '', grant, used, reason }) => {
        const why = used === Math.min(elapsed, grant) ? '' : reason;
        return [what, state, elapsed, command, grant, used, why];
      }),
    ]);
    for (const row of rows) expectFairCharge(row);

    const comparison = await compare();
    expect(comparison?.compared).toBe(30);
    expect(comparison?.differences).toHaveLength(3);
    expect(comparison?.differences.every(({ isExplained }) => isExplained)).toBe(true);
  }, 900_000);
});
