import type { Act } from '#lib/audit/act.ts';
import { recordAct } from '#lib/audit/audit-store.ts';
import { computeSettlement } from '#lib/charging/charge-job.ts';
import { priceEnd } from '#lib/charging/price-job.ts';
import type { Measured } from '#lib/hpc/connector.ts';
import { lineOf, settleSteps } from '#lib/quotas/draws.ts';
import type { JobOutcome } from '#lib/quotas/job-outcomes.ts';
import { type EndFacts, writeLedgerLine } from '#lib/quotas/ledger.ts';
import { changeOf } from '#lib/table/change.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { jobKey, jobLifeKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step } from '#lib/table/transaction.ts';
import { laterOf } from '#lib/time/order.ts';
import { accountOf, type Job, paymentOf } from '../job.ts';
import { findJob } from '../job-store.ts';
import { countInBatch } from './count-in-batch.ts';
import { type HandOver, type JobLife, shorten, storedLife } from './job-life.ts';
import { tooLate, writeIfFirst } from './write-if-first.ts';

export interface JobEnd {
  readonly stage: string;
  /** What was cancelled here is due once more, to tell its system, and its input's space is given back. */
  readonly outcome: JobOutcome;
  readonly endedAt: Date;
  /** Wall-clock seconds that are charged. */
  readonly ranSeconds: number;
  /** Seconds that the system counts too, but that the job spent waiting for this service. */
  readonly excusedSeconds?: number;
  /** Seconds of runs that are not charged, because the system lost them. */
  readonly lostSeconds?: number;
  /** The run that counts. */
  readonly run?: number | undefined;
  /** The runs before it, if there were any. */
  readonly runs?: JobLife['runs'];
  /** How long the run that counts ran, if it was not the only one. */
  readonly lastRunSeconds?: number | undefined;
  /** Whether `ranSeconds` comes from our own clock, because the system reported no time. */
  readonly byClock?: boolean;
  readonly runningSince?: Date | undefined;
  readonly measured?: Measured | undefined;
  readonly reason?: string;
  /** All hand-overs, if one of them ended the job. */
  readonly handOvers?: readonly HandOver[];
  readonly onlyWhile?: Standing | undefined;
}

/**
 * What must still be true of a job for its end to be written: it waits for others and its system has
 * never heard of it, its turn in its batch has not come, or no run of it is known.
 */
export type Standing = 'waiting' | 'parked' | 'without a run';

/**
 * Ends a job in one transaction: the terminal stage, the settlement, its ledger line, and the
 * administrator's act if there was one. So a job ends only once, and a later attempt changes
 * nothing.
 */
export async function endJob(
  table: Table,
  job: Job,
  told: JobEnd,
  now: Date,
  act?: Act,
): Promise<'ended' | 'too late'> {
  const end = { ...told, endedAt: endOf(job, told) };
  const isFirst = await closeOnce(table, job, (current) => [
    closeJob(current, end),
    closeLife(current, end, now),
    ...settle(current, end, now, act),
    ...(act ? [recordAct(act)] : []),
  ]);
  return isFirst ? 'ended' : 'too late';
}

/**
 * Writes the end of a job unless it has ended. If a job of a batch started or stopped running
 * meanwhile, its end is written again, because the batch counts running jobs.
 */
async function closeOnce(table: Table, job: Job, stepsFor: (job: Job) => Step[]): Promise<boolean> {
  let current = job;
  return decideUntilWritten(async () => {
    if (await writeIfFirst(table, stepsFor(current))) return true;
    const { batchRunning } = current;
    current = await findJob(table, accountOf(job), job.jobId);
    if (current.terminal || current.batchRunning === batchRunning) return false;
    throw new StaleReadError();
  });
}

/**
 * Cancels a job but keeps its hold until its system reports how long it ran (settleCancelled).
 * Writes no ledger line, because the account does not change. Returns false if the job has ended.
 */
export async function cancelUnsettled(
  table: Table,
  job: Job,
  told: Pick<JobEnd, 'stage' | 'endedAt' | 'reason'>,
  now: Date,
  act?: Act,
): Promise<boolean> {
  const end = { ...told, outcome: 'cancelled', ranSeconds: 0 } as const;
  const endedAt = endOf(job, end);
  return closeOnce(table, job, (current) => [
    closeJob(current, { ...end, endedAt }, { isSettled: false }),
    closeLife(current, end, now),
    ...countInBatch(current, { ended: { outcome: 'cancelled', at: endedAt } }),
    ...(act ? [recordAct(act)] : []),
  ]);
}

/**
 * Settles a cancelled job once, with its ledger line. If the system was told of the cancel, the job
 * is never due again.
 */
export async function settleCancelled(
  table: Table,
  job: Job,
  told: Omit<ExplainedEnd, 'outcome'>,
  { now, isTold }: { readonly now: Date; readonly isTold: boolean },
): Promise<void> {
  const end = { ...told, outcome: 'cancelled' } as const;
  await writeIfFirst(table, [
    markSettled(job, end),
    settleLife(job, end, isTold),
    ...settle(job, end, now),
  ]);
}

type ExplainedEnd = JobEnd & { readonly reason: string };

function settle(job: Job, end: JobEnd, now: Date, act?: Act): Step[] {
  const { used, returned } = computeSettlement(job.hold, job.runtime, end.ranSeconds);
  const { outcome, endedAt: at } = end;
  const kilobytes = outcome === 'cancelled' ? job.hold.kilobytes : 0;
  const payment = paymentOf(job);
  const parked = end.onlyWhile === 'parked';
  return [
    ...settleSteps(payment, { used, returned, kilobytes, jobs: 1 }),
    ...countInBatch(job, {
      ...(!job.terminal && { ended: { outcome, at, parked } }),
      settled: { seconds: used + returned, used },
    }),
    writeLedgerLine({
      ...lineOf(payment),
      kind: 'settle',
      seconds: returned,
      kilobytes,
      used,
      end: measureEnd(job, end),
      ...settleCost(job, end),
      at: now,
      by: act?.by ?? 'slipway',
      reason: explainSettlement(job, end, used),
      jobId: job.jobId,
      ...(job.batch && { batchId: job.batch.id }),
      ...(act && { actId: act.id }),
    }),
  ];
}

/** Time that nobody is charged for costs money, too: waiting for this service, and lost runs. */
function settleCost({ cost, runtime }: Job, end: JobEnd) {
  const { ranSeconds, excusedSeconds = 0, lostSeconds = 0 } = end;
  if (cost === undefined) return {};
  const paidSeconds = ranSeconds + excusedSeconds + lostSeconds;
  return { cost: { held: cost, used: priceEnd(cost, runtime, paidSeconds) } };
}

/**
 * Never puts the end before the start. The system's clock may be behind ours, and ours may be set
 * back.
 */
function endOf({ submittedAt }: Job, { endedAt, runningSince = submittedAt }: JobEnd): Date {
  return laterOf(endedAt, laterOf(submittedAt, runningSince));
}

function explainSettlement(job: Job, end: JobEnd, used: number): string {
  const { stage, excusedSeconds = 0, lostSeconds = 0 } = end;
  const free = [
    [excusedSeconds, 'of waiting for this service'],
    [lostSeconds, 'in runs that the HPC system lost'],
  ] as const;
  const notes = free
    .map(([seconds, why]) => [Math.round(seconds), why] as const)
    .filter(([seconds]) => seconds > 0)
    .map(([seconds, why]) => `; ${seconds} seconds ${why} are not charged`);
  return `${stage}: ${used} of ${job.hold.seconds} seconds used${notes.join('')}`;
}

/**
 * Keeps the runs of an ended job. The system's last word replaces a number that the job made up, and
 * a run that was noted as an earlier one but has become the one that counts.
 */
function writeRuns({ run, runs = [], lastRunSeconds }: JobEnd) {
  if (run === undefined) return {};
  return {
    run: run === 1 ? undefined : run,
    runs: undefined,
    ...storedLife.formatPart({ lastRunSeconds, ...(runs.length > 0 && { runs }) }),
  };
}

function closeJob(job: Job, end: JobEnd, { isSettled = true } = {}): Step {
  const { stage, outcome, endedAt } = end;
  const { ran } = isSettled ? measureEnd(job, end) : {};
  return {
    Update: changeOf(jobKey(accountOf(job), job.jobId), {
      set: {
        stage,
        terminal: true,
        failed: outcome === 'failed',
        end_date: endedAt.toISOString(),
        ...(ran !== undefined && { ran_seconds: ran }),
        ...(!isSettled && { awaits_settlement: true }),
        ...(job.batch && { batch_running: undefined }),
      },
      expect: {
        terminal: false,
        // A waiting job holds more once it has its input.
        held_kilobytes: job.hold.kilobytes,
        ...(job.batch && { batch_running: job.batchRunning }),
      },
    }),
    refuse: tooLate,
  };
}

function markSettled(job: Job, end: JobEnd): Step {
  const { ran } = measureEnd(job, end);
  return {
    Update: changeOf(jobKey(accountOf(job), job.jobId), {
      set: { awaits_settlement: undefined, ...(ran !== undefined && { ran_seconds: ran }) },
      expect: { awaits_settlement: true },
    }),
    refuse: tooLate,
  };
}

/** The attributes of a life that show how a job stands. */
const expectedOf: Readonly<Record<Standing, Record<string, unknown>>> = {
  waiting: { waiting: true },
  parked: { due: undefined, handle: undefined },
  'without a run': { handle: undefined },
};

const notDue = { due: undefined, due_at: undefined };

function settleLife(job: Job, end: ExplainedEnd, isTold: boolean): Step {
  const { reason, measured } = end;
  return {
    Update: changeOf(jobLifeKey(accountOf(job), job.jobId), {
      set: {
        reason: shorten(reason),
        ...storedLife.formatPart({ measured }),
        ...writeRuns(end),
        ...(isTold && { ...notDue, cancel_pending: undefined }),
      },
    }),
    refuse: tooLate,
  };
}

/**
 * Makes a cancelled job due at once, so that its system is told. Any other ended job is never due
 * again, nor is one whose turn had not come: its system has never heard of it.
 */
function closeLife(job: Job, end: JobEnd, now: Date): Step {
  const { stage, outcome, endedAt, reason, handOvers, measured, onlyWhile } = end;
  const { stages, tries } = storedLife.formatPart({ stages: [{ stage, at: endedAt }], handOvers });
  return {
    Update: changeOf(jobLifeKey(accountOf(job), job.jobId), {
      compute: { stages: 'list_append(stages, :moment)' },
      set: {
        reason: shorten(reason ?? ''),
        ...(handOvers && { tries }),
        ...storedLife.formatPart({ measured }),
        ...writeRuns(end),
        ...(onlyWhile === 'waiting' && { waiting: undefined, released: undefined }),
        ...(outcome === 'cancelled' && onlyWhile !== 'waiting'
          ? {
              cancel_pending: true,
              ...(onlyWhile !== 'parked' && { due_at: now.toISOString() }),
            }
          : { ...notDue, trying_since: undefined, cut_offs: undefined }),
      },
      values: { ':moment': stages },
      ...(onlyWhile && { expect: expectedOf[onlyWhile] }),
    }),
    refuse: tooLate,
  };
}

type Ending = Omit<JobEnd, 'stage'>;

/**
 * Measures how a job ended, how long it waited and how long it ran. A short job may start and end
 * between two checks. Its start is then its end minus the seconds that its system reports.
 */
export function measureEnd({ submittedAt }: Pick<Job, 'submittedAt'>, ending: Ending): EndFacts {
  const { outcome, runningSince, endedAt } = ending;
  const ran = Math.max(0, Math.round(ending.ranSeconds));
  if (!runningSince && ran === 0) return { outcome };
  const began = runningSince?.getTime() ?? endedAt.getTime() - ran * 1000;
  const waited = Math.max(0, Math.round((began - submittedAt.getTime()) / 1000));
  const excused = Math.round(ending.excusedSeconds ?? 0);
  return {
    outcome,
    waited,
    ran,
    ...(excused > 0 && { excused }),
    ...(ending.byClock && { byClock: true }),
  };
}
