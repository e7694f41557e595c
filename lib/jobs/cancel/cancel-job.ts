import type { Act } from '#lib/audit/act.ts';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten } from '#lib/table/transaction.ts';
import { earlierOf } from '#lib/time/order.ts';
import { accountOf, type Job } from '../job.ts';
import { findJob } from '../job-store.ts';
import { cancelUnsettled, endJob, type Standing, settleCancelled } from '../life/end-job.ts';
import { isParked, type JobLife } from '../life/job-life.ts';
import { findLife } from '../life/job-life-store.ts';

/**
 * Cancels a job. The next sweep tells the HPC system. If the system can report afterwards how long
 * the job ran, the hold is kept until it does, because the system may be down now and the job may
 * run on for hours (docs/decisions/0049). Otherwise the time that the job was seen running is
 * charged.
 */
export async function cancelJob(
  table: Table,
  job: Job,
  now: Date,
  { act, settlesNow = false }: { readonly act?: Act | undefined; readonly settlesNow?: boolean },
): Promise<void> {
  const reason = act ? `Cancelled by an administrator: ${act.reason}` : 'Cancelled by its owner.';
  const end = { stage: ownStages.canceled, endedAt: now, reason };
  let current = job;
  await decideUntilWritten(async () => {
    const life = await findLife(table, accountOf(job), job.jobId);
    if (await writeCancel(table, current, life, { ...end, act, settlesNow, now })) return;
    // It has ended, or it was released a moment ago and may hold more space since.
    current = await findJob(table, accountOf(job), job.jobId);
    if (!current.terminal) throw new StaleReadError();
  });
}

interface Cancel {
  readonly stage: string;
  readonly endedAt: Date;
  readonly reason: string;
  readonly act: Act | undefined;
  readonly settlesNow: boolean;
  readonly now: Date;
}

/** Returns false if something else changed the job first. */
async function writeCancel(
  table: Table,
  job: Job,
  life: JobLife,
  { act, settlesNow, now, ...end }: Cancel,
): Promise<boolean> {
  if (life.systemCounts && !settlesNow) {
    return cancelUnsettled(table, job, end, now, act);
  }
  const ranSeconds = secondsUntil(life, now);
  const { runningSince } = life;
  const onlyWhile = standingOf(life);
  const told = { ...end, outcome: 'cancelled', ranSeconds, runningSince, onlyWhile } as const;
  return (await endJob(table, job, told, now, act)) === 'ended';
}

function standingOf(life: JobLife): Standing | undefined {
  // A job of a batch may also have to wait for its files once its turn has come.
  if (isParked(life)) return 'parked';
  return life.waiting ? 'waiting' : undefined;
}

/**
 * Charges a cancelled job until its system no longer knew it, or else until the cancel, and says
 * why in its timeline.
 */
export async function settleByClock(
  table: Table,
  { job, life }: { readonly job: Job; readonly life: JobLife },
  now: Date,
  { why = explainNotAsked(life), isTold = false }: { why?: string; isTold?: boolean } = {},
): Promise<void> {
  const endedAt = job.endedAt ?? now;
  const { runningSince, reason = '' } = life;
  const ranSeconds = secondsUntil(life, endedAt);
  const end = { stage: job.stage, endedAt, ranSeconds, runningSince };
  const told = { ...end, byClock: true, reason: `${endSentence(reason)} ${why}`.trim() };
  await settleCancelled(table, job, told, { now, isTold });
}

/** An administrator's reason may end without a stop. */
function endSentence(text: string): string {
  return /\w$/.test(text) ? `${text}.` : text;
}

function explainNotAsked(life: JobLife): string {
  return `The HPC system could not be asked how long it ran, so it is charged until ${untilWhen(life)}.`;
}

/** Names the moment until which `settleByClock` charges. */
export function untilWhen({ unknownSince }: JobLife): string {
  return unknownSince ? 'it was no longer known' : 'the cancel';
}

/** How long to wait for a system to report how long a cancelled job ran. */
const longestWaitSeconds = 24 * 60 * 60;

export function hasWaitedLong({ endedAt }: Job, now: Date): boolean {
  return endedAt !== null && now.getTime() - endedAt.getTime() >= longestWaitSeconds * 1000;
}

/** Nobody pays for the time in which the system did not know the job any more. */
function secondsUntil({ runningSince, unknownSince }: JobLife, end: Date): number {
  if (!runningSince) return 0;
  const last = unknownSince ? earlierOf(unknownSince, end) : end;
  return Math.max(0, last.getTime() - runningSince.getTime()) / 1000;
}
