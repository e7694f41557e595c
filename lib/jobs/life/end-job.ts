import type { Act } from '#lib/audit/act.ts';
import { recordAct } from '#lib/audit/audit-store.ts';
import { computeSettlement } from '#lib/quotas/holds/compute-settlement.ts';
import { settleQuota } from '#lib/quotas/holds/settle-quota.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import { jobKey, jobLifeKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { accountOf, type Job } from '../job.ts';
import { type HandOver, laterOf, shorten } from './job-life.ts';
import { handOversToItem, stagesToItem } from './job-life-item.ts';
import { measureEnd } from './measure-end.ts';
import { tooLate, writeIfFirst } from './write-if-first.ts';

export interface JobEnd {
  readonly stage: string;
  readonly failed: boolean;
  readonly endedAt: Date;
  /** Wall-clock seconds that are charged. */
  readonly ranSeconds: number;
  /** What the system counts beyond them, while the job waited for this service. */
  readonly excusedSeconds?: number;
  /** When it was first seen running, where it was. */
  readonly runningSince?: Date | undefined;
  readonly reason?: string;
  /** All of them, where it ended by one. */
  readonly handOvers?: readonly HandOver[];
  /** Cancelled here: the HPC system has yet to hear of it, and the input's space is given back. */
  readonly cancelled?: boolean;
}

/**
 * One transaction: the terminal stage, the settlement and its ledger line, and what an
 * administrator did where that was the cause. So it happens once: whoever comes too late changes
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
  const { used, returned } = computeSettlement(job.hold, job.runtime, end.ranSeconds);
  const kilobytes = end.cancelled ? job.hold.kilobytes : 0;
  const account = accountOf(job);
  const isFirst = await writeIfFirst(table, [
    closeJob(job, end),
    closeLife(job, end, now),
    settleQuota(account, { used, returned, kilobytes, endsJob: true }),
    writeLedgerLine({
      ...account,
      kind: 'settle',
      seconds: returned,
      kilobytes,
      used,
      end: measureEnd(job, end),
      at: now,
      by: act?.by ?? 'slipway',
      reason: explainSettlement(job, end, used),
      jobId: job.jobId,
      ...(act && { actId: act.id }),
    }),
    ...(act ? [recordAct(act)] : []),
  ]);
  return isFirst ? 'ended' : 'too late';
}

/** Never before its beginning: a system's clock may be behind ours, and ours may be set back. */
function endOf({ submittedAt }: Job, { endedAt, runningSince = submittedAt }: JobEnd): Date {
  return laterOf(endedAt, laterOf(submittedAt, runningSince));
}

function explainSettlement(job: Job, { stage, excusedSeconds = 0 }: JobEnd, used: number): string {
  const seconds = Math.round(excusedSeconds);
  const waited =
    seconds === 0 ? '' : `; ${seconds} seconds of waiting for this service are not charged`;
  return `${stage}: ${used} of ${job.hold.seconds} seconds used${waited}`;
}

function closeJob(job: Job, { stage, failed, endedAt }: JobEnd): Step {
  return {
    write: (tableName) => ({
      Update: {
        TableName: tableName,
        Key: jobKey(accountOf(job), job.jobId),
        UpdateExpression: 'SET stage = :stage, terminal = :yes, #failed = :failed, end_date = :end',
        ConditionExpression: 'terminal = :no',
        ExpressionAttributeNames: { '#failed': 'failed' },
        ExpressionAttributeValues: {
          ':stage': stage,
          ':yes': true,
          ':no': false,
          ':failed': failed,
          ':end': endedAt.toISOString(),
        },
      },
    }),
    refuse: tooLate,
  };
}

/** A cancelled job is due at once, for its system to hear of it; any other is due no more. */
function closeLife(job: Job, end: JobEnd, now: Date): Step {
  const { stage, endedAt, reason, handOvers, cancelled = false } = end;
  const { ran } = measureEnd(job, end);
  const known = `${handOvers ? ', tries = :tries' : ''}${ran === undefined ? '' : ', ran_seconds = :ran'}`;
  const [set, remove] = cancelled
    ? [', cancel_pending = :yes, due_at = :now', '']
    : ['', ' REMOVE #due, due_at, trying_since, cut_offs'];
  return {
    write: (tableName) => ({
      Update: {
        TableName: tableName,
        Key: jobLifeKey(accountOf(job), job.jobId),
        UpdateExpression: `SET stages = list_append(stages, :moment), reason = :reason${known}${set}${remove}`,
        ...(!cancelled && { ExpressionAttributeNames: { '#due': 'due' } }),
        ExpressionAttributeValues: {
          ':moment': stagesToItem([{ stage, at: endedAt }]),
          ':reason': shorten(reason ?? ''),
          ...(handOvers && { ':tries': handOversToItem(handOvers) }),
          ...(ran !== undefined && { ':ran': ran }),
          ...(cancelled && { ':yes': true, ':now': now.toISOString() }),
        },
      },
    }),
    refuse: tooLate,
  };
}
