import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { listAccounts } from '#lib/accounts/list-accounts.ts';
import { explainFinding, reconcileAccounts } from '#lib/accounts/reconcile-accounts.ts';
import { type Batch, batchFromItem, countInFlight, countPending } from '#lib/batches/batch.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import { computeSettlement } from '#lib/charging/charge-job.ts';
import { type Job, jobFromItem } from '#lib/jobs/job.ts';
import { isParked, type JobLife, lifeFromItem } from '#lib/jobs/life/job-life.ts';
import { lineFromItem, type StoredLine } from '#lib/quotas/ledger.ts';
import { readReport } from '#lib/reports/read-report.ts';
import type { Table } from '#lib/table/table.ts';
import type { Deployment } from './deployment.ts';
import type { Fault } from './fault.ts';
import type { Load } from './load.ts';

/** Everything in the table that a verdict is about. */
export interface Contents {
  readonly jobs: readonly Job[];
  readonly lives: ReadonlyMap<string, JobLife>;
  readonly batches: readonly Batch[];
  readonly settlements: readonly StoredLine[];
}

export async function readContents(table: Table): Promise<Contents> {
  const items: Record<string, unknown>[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const page = await table.client.send(
      new ScanCommand({ TableName: table.name, ConsistentRead: true, ExclusiveStartKey: after }),
    );
    items.push(...(page.Items ?? []));
    after = page.LastEvaluatedKey;
  } while (after);
  const ofType = (type: string) => items.filter((item) => item.type === type);
  return {
    jobs: ofType('job').map(jobFromItem),
    lives: new Map(
      ofType('job-life')
        .map(lifeFromItem)
        .map((life) => [life.jobId, life]),
    ),
    batches: ofType('batch').map(batchFromItem),
    settlements: ofType('ledger-line')
      .filter(({ kind }) => kind === 'settle')
      .map(lineFromItem),
  };
}

/** Lists the jobs and batches that nothing brings further. */
export function listStuck({ jobs, lives, batches }: Contents, now: Date): string[] {
  const ended = new Set(jobs.filter(({ terminal }) => terminal).map(({ jobId }) => String(jobId)));
  const stuckJobs = jobs.flatMap((job) => {
    const life = lives.get(job.jobId);
    const why = life ? explainStuck(job, life, ended, batches, now) : 'it has no life';
    return why === undefined ? [] : [`${job.jobId}: ${why}`];
  });
  const stuckBatches = batches.flatMap((batch) => {
    if (batch.cancelPending) return [`${batch.id}: its cancel is pending`];
    return countPending(batch) > 0 ? [`${batch.id}: jobs are not created`] : [];
  });
  return [...stuckJobs, ...stuckBatches];
}

/** No check of an active job is put off for longer. */
const longestPauseMs = 61_000;

function explainStuck(
  job: Job,
  life: JobLife,
  ended: ReadonlySet<string>,
  batches: readonly Batch[],
  now: Date,
): string | undefined {
  // A system never hears of a job of a batch that was cancelled before its turn.
  const neverHad = life.dueAt === undefined && life.handle === undefined;
  if (life.cancelPending && !neverHad) return 'its system was not told of the cancel';
  if (job.awaitsSettlement) return 'it is not settled';
  if (job.terminal) return undefined;
  if (life.waiting) {
    return life.after?.every(({ id }) => ended.has(id))
      ? 'it waits for jobs that have ended'
      : undefined;
  }
  if (isParked(life)) {
    const batch = batches.find(({ id }) => id === job.batch?.id);
    return batch && countInFlight(batch) > 0 ? undefined : 'its turn does not come';
  }
  return explainActive(life, now);
}

function explainActive(life: JobLife, now: Date): string | undefined {
  if (life.handle === undefined) return `it is not handed over (${life.reason})`;
  const pauseMs = Math.abs((life.dueAt?.getTime() ?? 0) - now.getTime());
  return pauseMs > longestPauseMs ? `its check is due ${pauseMs / 1000} s away` : undefined;
}

/** Judges what has come of a scene in which everything has ended. */
export async function expectIntact(
  deployment: Deployment,
  load: Load,
  contents: Contents,
  fault: Fault,
): Promise<void> {
  expect(deployment.takeDoubled(), 'jobs that a system was asked to run twice').toEqual([]);
  expectNoReturn(deployment);
  await expectAddsUp(deployment.table, load, contents, fault);
}

/** Compares jobs, batches, charges, accounts and reports with each other and with the load. */
export async function expectAddsUp(
  table: Table,
  load: Load,
  contents: Contents,
  fault: Pick<Fault, 'liesAboutTime'>,
): Promise<void> {
  const { jobs, batches, settlements } = contents;
  const accepted = load.jobs.map(({ id }) => id);
  const single = jobs.filter(({ batch }) => !batch).map(({ jobId }) => String(jobId));
  expect(single.toSorted(), 'jobs, as they were accepted').toEqual(accepted.toSorted());
  const acceptedBatches = load.batches.map(({ id }) => id);
  expect(batches.map(({ id }) => String(id)).toSorted()).toEqual(acceptedBatches.toSorted());
  for (const batch of batches) {
    const own = jobs.filter((job) => job.batch?.id === batch.id);
    expect(own.length + batch.dropped, `jobs of the batch ${batch.id}`).toBe(batch.count);
    const { done, failed, cancelled, running } = batch.counts;
    expect({ ended: done + failed + cancelled, running, held: batch.held.seconds }).toEqual({
      ended: batch.count,
      running: 0,
      held: 0,
    });
  }

  const lines = Map.groupBy(settlements, ({ jobId }) => String(jobId));
  for (const job of jobs) {
    const [line, ...more] = lines.get(job.jobId) ?? [];
    expect(more, `further settlements of ${job.jobId}`).toEqual([]);
    expect(line, `the settlement of ${job.jobId}`).toBeDefined();
    if (line) expectCharge(job, line, fault);
  }
  await expectExactAccounts(table);
  await expectCounted(table, settlements);
}

/** A job is never charged more than it held, and exactly as its system counts if that is honest. */
function expectCharge(
  job: Job,
  line: StoredLine,
  { liesAboutTime }: Pick<Fault, 'liesAboutTime'>,
): void {
  const { used = Number.NaN, seconds } = line;
  expect(used + seconds, `${job.jobId}: what is used and returned`).toBe(job.hold.seconds);
  expect(used).toBeGreaterThanOrEqual(0);
  expect(used, `${job.jobId}: the charge`).toBeLessThanOrEqual(job.hold.seconds);
  const outcome = line.end?.outcome;
  if (liesAboutTime || outcome === 'cancelled') return;
  const share = outcome === 'failed' ? 0.4 : 0.8;
  const counted = computeSettlement(job.hold, job.runtime, job.runtime * 3600 * share);
  expect(used, `${job.jobId}: ${outcome} after ${share} of its time`).toBe(counted.used);
}

/** Once a job has ended, its owner may delete it, and nothing else changes its stage or its end. */
function expectNoReturn(deployment: Deployment): void {
  const ends = new Map<string, { stage: string; end: string }>();
  for (const { record } of deployment.readChanges()) {
    const image = record.dynamodb?.NewImage;
    if (image?.type?.S !== 'job') continue;
    const id = image.job_id?.S ?? '';
    const before = ends.get(id);
    const isOver = image.terminal?.BOOL === true;
    const stage = image.stage?.S ?? '';
    const end = image.end_date?.S ?? '';
    if (before) {
      expect(isOver, `${id} has ended`).toBe(true);
      if (stage !== 'DELETED') expect({ id, stage, end }).toEqual({ id, ...before });
    }
    if (isOver && !before) ends.set(id, { stage, end });
  }
}

async function expectExactAccounts(table: Table): Promise<void> {
  const projects = catalog.systems.flatMap((system) => system.projects);
  for await (const accounts of listAccounts(table, projects, 100)) {
    for (const finding of await reconcileAccounts(table, accounts, { fix: false })) {
      expect(explainFinding(finding), JSON.stringify(finding.account)).toEqual([]);
      expect(finding.verdict.state).toBe('sound');
    }
  }
}

/** Reports count each end once, however often and in which order they were told of it. */
async function expectCounted(table: Table, settlements: readonly StoredLine[]): Promise<void> {
  const period = { since: '2020-01-01', until: '2099-12-31' };
  const { entries } = await readReport(table, { by: ['system'], period }, 1000);
  const jobs = entries.reduce((sum, { usage }) => sum + usage.jobs, 0);
  const used = entries.reduce((sum, { usage }) => sum + usage.used, 0);
  expect({ jobs, used }, 'what reports have counted').toEqual({
    jobs: settlements.length,
    used: settlements.reduce((sum, line) => sum + (line.used ?? 0), 0),
  });
}
