import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountOf } from '#lib/jobs/job.ts';
import { jobId as nameJob, projectName, systemName, userId } from '../fixtures/names.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { urgentPartition } from './cluster-config.ts';
import { pollUntil } from './poll-until.ts';
import type { FileBody } from './researcher.ts';
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

/** Hours. A job is granted whole minutes. */
const aMinute = 1 / 60;
const twoMinutes = 2 / 60;

const account = 'proj_a';

let cluster: Cluster;
let slipway: ServiceOnSlurm;
let tried: TriedJobs;

beforeAll(async () => {
  cluster = await startCluster({ hasAccounting: true, accounts: [account], limitsJobs: true });
  slipway = await startServiceOn(cluster, { account });
  tried = new TriedJobs(slipway);
}, 300_000);

afterAll(async () => {
  await slipway?.close();
  await cluster?.close();
}, 60_000);

/** The name of a job for Slurm's commands, once it was handed over. */
async function handleOf({ who, jobId }: Tried): Promise<string> {
  const { findLife } = await import('#lib/jobs/life/job-life-store.ts');
  const project = { number: 1, hpc: systemName('hpc_one'), name: projectName('proj_hpc_one_01') };
  const place = accountOf({ owner: userId(who.user), project });
  return pollUntil(`${jobId} was handed over`, 60, async () => {
    return (await findLife(slipway.table, place, nameJob(jobId))).handle;
  });
}

async function command(program: string, jobs: readonly Tried[]): Promise<void> {
  for (const job of jobs) await cluster.ask('scontrol', program, await handleOf(job));
}

/**
 * Slurm lets a job that is queued again wait for two minutes, unless somebody is in a hurry. A node
 * does not launch a job that it ended in the same second.
 */
async function startAgain(jobs: readonly Tried[], restarts = 1): Promise<void> {
  for (const job of jobs) {
    const handle = await handleOf(job);
    const ask = ['squeue', '-h', '-j', handle, '-t', 'all', '-O', 'RestartCnt,State'];
    let isHurried = false;
    await pollUntil(`${job.what} runs again`, 120, async () => {
      const [count = '', state] = (await cluster.ask(...ask)).split(/\s+/);
      if (Number(count) < restarts) return undefined;
      if (state !== 'PENDING' || isHurried)
        return /RUNNING|COMPLETED/.test(state ?? '') || undefined;
      const change = [`jobid=${handle}`, 'starttime=now+2'];
      isHurried = await cluster.ask('scontrol', 'update', ...change).then(
        () => true,
        () => false,
      );
      return undefined;
    });
  }
}

async function isBack({ who, path }: Tried): Promise<true | undefined> {
  const { earlier_runs: runs = [] } = await who.read<RunsBody>(`${path}timeline/`);
  return runs.length > 0 || undefined;
}

interface RunsBody {
  readonly reason: string | null;
  readonly earlier_runs?: readonly {
    readonly run: number;
    readonly seconds: number;
    readonly lost: boolean;
    readonly reason: string;
    readonly sent_bytes: number | null;
  }[];
}

/** Writes which run wrote it, and the answer only at its end. */
const long =
  'echo $((SLURM_RESTART_COUNT)) >run.txt; for i in $(seq 12); do sleep 1; done; echo 42 >answer.txt';
const requeuesItself =
  'echo $((SLURM_RESTART_COUNT)) >run.txt; if [ $((SLURM_RESTART_COUNT)) -lt 2 ]; then sleep 3; until scontrol requeue "$SLURM_JOB_ID"; do sleep 1; done; sleep 60; fi; sleep 2; echo 42 >answer.txt';

const wishes = { runtime: twoMinutes };

async function submitSeveral(what: string, script: string, count: number, runtime = twoMinutes) {
  const jobs: Tried[] = [];
  while (jobs.length < count) jobs.push(await tried.submit(what, script, undefined, { runtime }));
  return jobs;
}

async function requeueByAdministrator(): Promise<void> {
  const single = await submitSeveral('requeued by an administrator', long, 7);
  const tasks = await tried.submitBatch('requeued task of an array', long, 4, wishes);
  const { who, jobId } = single[0]!;
  const next = await who.submit('cat answer.txt run.txt', {
    ...wishes,
    fields: { input_from: jobId },
  });
  await tried.add({
    what: 'takes over the results of the last run',
    who,
    path: next.path,
    jobId: next.body.job_id,
    command: undefined,
  });
  await tried.waitForRunning([...single, ...tasks]);
  await passSeconds(3);
  await command('requeue', [...single, ...tasks]);
  await startAgain([...single, ...tasks]);
}

async function requeueByThemselves(): Promise<void> {
  const jobs = await submitSeveral('requeues itself twice', requeuesItself, 6);
  await startAgain(jobs, 1);
  await startAgain(jobs, 2);
}

async function suspendSome(): Promise<void> {
  const short = await submitSeveral('suspended', long, 4);
  // Their limit is a minute, and they are suspended for longer.
  const beyond = await submitSeveral('suspended beyond its limit', long, 3, aMinute);
  const jobs = [...short, ...beyond];
  await tried.waitForRunning(jobs);
  await passSeconds(3);
  await command('suspend', jobs);
  await pollUntil('the timeline says so', 30, async () => {
    const { reason } = await short[0]!.who.readTimeline(short[0]!.path);
    return reason?.includes('SUSPENDED') || undefined;
  });
  await passSeconds(20);
  await command('resume', short);
  await passSeconds(50);
  await command('resume', beyond);
}

async function failNode(): Promise<void> {
  const single = await submitSeveral('node down', long, 4);
  const tasks = await tried.submitBatch('node down, task of an array', long, 2, wishes);
  await tried.waitForRunning([...single, ...tasks]);
  await passSeconds(3);
  await cluster.ask('scontrol', 'update', 'node=node1', 'state=down', 'reason=test');
  await passSeconds(2);
  await cluster.ask('scontrol', 'update', 'node=node1', 'state=resume').catch(() => '');
  await cluster.ask('scontrol', 'update', 'node=node1', 'state=idle').catch(() => '');
  await startAgain([...single, ...tasks]);
}

async function preempt(): Promise<void> {
  const jobs = await submitSeveral('preempted', long, 2);
  await tried.waitForRunning(jobs);
  await passSeconds(3);
  const urgent = ['-p', urgentPartition, '-n', '16', '-A', account, '-D', '/', '-o', '/dev/null'];
  const asUser = ['su', cluster.user, '-s', '/bin/sh', '-c'];
  const line = `SLURM_CONF=${cluster.configFile} sbatch ${urgent.join(' ')} --wrap 'sleep 4'`;
  await cluster.ask(...asUser, line);
  await startAgain(jobs);
}

async function cancelAfterRequeue(): Promise<void> {
  const [queued] = await submitSeveral('requeued, and cancelled in the queue', long, 1);
  const [running] = await submitSeveral('requeued, and cancelled while it runs', long, 1);
  const both = [queued!, running!];
  await tried.waitForRunning(both);
  await passSeconds(3);
  await command('requeue', both);
  await startAgain([running!]);
  await pollUntil('its timeline tells of the run', 60, () => isBack(queued!));
  await tried.cancelAll([queued!]);
  await running!.who.waitForStage(running!.path, 'RUNNING');
  await tried.cancelAll([running!]);
}

/** Slurm takes two jobs at a time, and refuses an array of five. */
async function limitJobs(): Promise<void> {
  const set = (limit: string) =>
    cluster.ask('sacctmgr', '-i', 'modify', 'user', cluster.user, 'set', `MaxSubmitJobs=${limit}`);
  await set('2');
  const jobs = await tried.submitBatch('MaxSubmitJobs', 'sleep 1; echo 42 >answer.txt', 5, wishes);
  await pollUntil('one of them waits, with the reason', 60, async () => {
    const timelines = await Promise.all(jobs.map(({ who, path }) => who.readTimeline(path)));
    const isFull = timelines.some(({ reason }) =>
      reason?.startsWith('The system takes no more jobs'),
    );
    return isFull || undefined;
  });
  await tried.waitFor(jobs, 300);
  await set('-1');
}

interface Row extends Tried {
  readonly records: readonly Accounted[];
  readonly used: number;
  readonly reason: string;
  readonly timeline: RunsBody;
  readonly files: readonly FileBody[];
}

async function readRow(job: Tried, accounting: readonly Accounted[]): Promise<Row> {
  const handle = await handleOf(job);
  const [charge, timeline, files] = await Promise.all([
    tried.readCharge(job),
    job.who.read<RunsBody>(`${job.path}timeline/`),
    job.who.listFiles(job.path),
  ]);
  const records = accounting.filter(({ id }) => id === handle);
  return { ...job, ...charge, records, timeline, files };
}

const lostStates = ['NODE_FAIL', 'PREEMPTED', 'BOOT_FAIL'];

/** The rule of docs/charging.md, in the words of sacct. */
function chargeFor({ records, grant }: Row): number {
  const counted = records.filter(({ state }) => !lostStates.includes(state));
  const seconds = counted.reduce((sum, { elapsed }) => sum + elapsed, 0);
  return Math.min(grant, seconds);
}

async function readText({ who, path, files }: Row, name: string): Promise<string | undefined> {
  const file = files.find(({ filename }) => filename === name);
  return file && (await who.fetchFile(path, file.fileid)).toString().trim();
}

describe('forty jobs that Slurm starts again, suspends, loses or does not take at once', () => {
  it('are charged by the rule, and show the results of the run that counts', async () => {
    const suspended = suspendSome();
    await requeueByAdministrator();
    await suspended;
    await tried.waitFor(tried.all);
    await requeueByThemselves();
    await cancelAfterRequeue();
    await tried.waitFor(tried.all);
    await failNode();
    await tried.waitFor(tried.all);
    await preempt();
    await tried.waitFor(tried.all);
    await limitJobs();

    const handles = await Promise.all(tried.all.map(handleOf));
    const accounting = await pollUntil('slurmdbd has all jobs', 60, async () => {
      const records = await readFinalAccounting(cluster);
      const known = new Set(records.map(({ id }) => id));
      return handles.every((handle) => known.has(handle)) ? records : undefined;
    });
    const rows = await Promise.all(tried.all.map((job) => readRow(job, accounting)));
    printTable([
      ['job', 'runs of sacct -X -D', 'by the rule', 'charged', 'grant', 'run.txt', 'answer.txt'],
      ...(await Promise.all(
        rows.map(async (row) => [
          row.what,
          row.records.map(({ state, elapsed }) => `${state} ${elapsed}`).join(', '),
          chargeFor(row),
          row.used,
          row.grant,
          (await readText(row, 'run.txt')) ?? '-',
          (await readText(row, 'answer.txt')) ?? '-',
        ]),
      )),
    ]);
    expect(rows).toHaveLength(40);
    for (const row of rows) expect(row.used, `${row.what} ${row.jobId}`).toBe(chargeFor(row));
    for (const row of rows) await expectResultsOfLastRun(row);

    const comparison = await compareCharges(slipway);
    expect(comparison?.compared).toBe(40);
    expect(comparison?.differences).toEqual([]);
  }, 1_500_000);
});

async function expectResultsOfLastRun(row: Row): Promise<void> {
  const { what, records, timeline, path, who } = row;
  const earlier = records.slice(0, -1);
  const { stage } = await who.read<{ stage: string }>(path);
  expect(timeline.earlier_runs?.length ?? 0, what).toBe(
    what === 'requeued, and cancelled in the queue' ? 0 : earlier.length,
  );
  for (const run of timeline.earlier_runs ?? []) {
    expect(run.lost, what).toBe(lostStates.includes(records[run.run - 1]?.state ?? ''));
    expect(run.reason, what).not.toBe('');
  }
  if (what.includes('cancelled')) return;
  expect(stage, what).toBe('SUCCESSFUL');
  if (what === 'takes over the results of the last run') {
    expect(await readText(row, 'stdout')).toBe('42\n1');
    return;
  }
  expect(await readText(row, 'answer.txt'), what).toBe('42');
  if (what === 'MaxSubmitJobs') return;
  expect(await readText(row, 'run.txt'), what).toBe(String(records.length - 1));
}
