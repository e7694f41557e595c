import type { JobId } from '#lib/catalog/identifiers.ts';
import { readSystemReports } from '#lib/hpc/breaker/system-health.ts';
import { explainObstacle } from '#lib/systems/judge-maintenance.ts';
import { readObstacle } from '#lib/systems/read-maintenance.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { explainWait } from '../chains/explain-wait.ts';
import { type AfterLine, readAfter, readSuccessors } from '../chains/read-chain.ts';
import type { Job } from '../job.ts';
import { findJob } from '../job-store.ts';
import { addHandOver, cutOff, type HandOver, type JobLife } from '../life/job-life.ts';
import { findLife } from '../life/job-life-store.ts';

export interface Timeline {
  readonly job: Job;
  readonly life: JobLife;
  /** What the job waits for, or waited for. */
  readonly after: readonly AfterLine[];
  /** The jobs that wait for this one, or did. */
  readonly successors: readonly Job[];
}

export async function readTimeline(
  table: Table,
  account: AccountKey,
  jobId: JobId,
  now = new Date(),
): Promise<Timeline> {
  const job = await findJob(table, account, jobId);
  const life = await findLife(table, account, jobId);
  const after = await readAfter(table, job, life);
  const reason =
    explainUnknown(job, life) ??
    explainUnsettled(job, life) ??
    (await explainHold(table, job, life, now)) ??
    (life.reason || (await explainDelay(table, job, life, after)));
  const successors = job.awaited ? await readSuccessors(table, job) : [];
  return { job, life: { ...life, reason, handOvers: listHandOvers(life, now) }, after, successors };
}

/** Includes the hand-over that has not ended. It counts as under way until its lease expires. */
function listHandOvers(life: JobLife, now: Date): readonly HandOver[] {
  const { tryingSince, dueAt } = life;
  if (tryingSince === undefined) return life.handOvers;
  const isUnderWay = dueAt !== undefined && dueAt > now;
  return addHandOver(life, tryingSince, isUnderWay ? 'It is under way.' : cutOff);
}

/**
 * Replaces the system's last reason, which explains nothing once the system has forgotten the job.
 */
function explainUnknown(
  { terminal }: Job,
  { unknownSince, unknownChecks }: JobLife,
): string | undefined {
  if (terminal || !unknownSince || unknownChecks === 0) return undefined;
  const since = unknownSince.toISOString().replace(/\.\d+Z$/, 'Z');
  return `The HPC system has not known this job since ${since}.`;
}

function explainUnsettled({ awaitsSettlement }: Job, { reason = '' }: JobLife) {
  if (!awaitsSettlement) return undefined;
  return `${reason} The time that it ran is charged as soon as the HPC system tells it.`.trim();
}

/** Explains the wait for a maintenance, by the windows as they are now. */
async function explainHold(
  table: Table,
  { project: { hpc }, runtime }: Job,
  { held }: JobLife,
  now: Date,
): Promise<string | undefined> {
  if (!held) return undefined;
  const obstacle = await readObstacle(table, hpc, runtime * 3600, now);
  return obstacle && explainObstacle(obstacle, now);
}

/**
 * Explains the wait for other jobs, or for a system that is down. Such a system is not called, so
 * no hand-over records a reason.
 */
async function explainDelay(
  table: Table,
  job: Job,
  life: JobLife,
  after: readonly AfterLine[],
): Promise<string | undefined> {
  if (job.terminal || life.handle !== undefined) return undefined;
  if (life.waiting) {
    const open = after.filter(({ state }) => state === 'active');
    return explainWait(open) ?? (life.serviceFetches ? 'Its inputs are fetched.' : undefined);
  }
  const { hpc } = job.project;
  const reports = await readSystemReports(table, [hpc]);
  return reports.get(hpc)?.state === 'down'
    ? `${hpc} is not answering. The job will be handed over as soon as it does.`
    : undefined;
}
