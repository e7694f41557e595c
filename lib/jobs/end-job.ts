import { computeSettlement } from '../quotas/compute-settlement.ts';
import { writeLedgerLine } from '../quotas/ledger.ts';
import { settleQuota } from '../quotas/quota-store.ts';
import { jobKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type Step, writeTransaction } from '../table/transaction.ts';
import type { Job } from './job.ts';
import { placeOf } from './job-item.ts';

export interface JobEnd {
  readonly stage: string;
  readonly failed: boolean;
  readonly endedAt: Date;
  /** Wall-clock seconds that are charged. */
  readonly ranSeconds: number;
  readonly reason?: string;
  /** Cancelled here: the HPC system has yet to hear of it, and the input's space is given back. */
  readonly cancelled?: boolean;
}

/** Somebody else ended the job first: a cancel and a completion may race, and one of them wins. */
export class JobEndedError extends Error {
  override name = 'JobEndedError';
  constructor() {
    super('The job has ended already.');
  }
}

/** One transaction: the terminal stage, the settlement and its ledger line. So it happens once. */
export async function endJob(table: Table, job: Job, end: JobEnd): Promise<void> {
  const { used, returned } = computeSettlement(job.hold, job.runtime, end.ranSeconds);
  const kilobytes = end.cancelled ? job.hold.kilobytes : 0;
  const account = { user: job.owner, hpc: job.project.hpc, project: job.project.name };
  await writeTransaction(table, [
    closeJob(job, end),
    settleQuota(account, { used, returned }, kilobytes),
    writeLedgerLine({
      ...account,
      kind: 'settle',
      seconds: returned,
      kilobytes,
      at: end.endedAt,
      by: 'slipway',
      reason: `${end.stage}: ${used} of ${job.hold.seconds} seconds used`,
      jobId: job.jobId,
    }),
  ]);
}

function closeJob(job: Job, { stage, failed, endedAt, reason, cancelled = false }: JobEnd): Step {
  const schedule = cancelled ? ', due_at = :end' : ' REMOVE #due, due_at';
  return {
    write: (tableName) => ({
      Update: {
        TableName: tableName,
        Key: jobKey(placeOf(job), job.jobId),
        UpdateExpression:
          'SET stage = :stage, terminal = :yes, #failed = :failed, end_date = :end, ' +
          `cancel_pending = :cancelled, reason = :reason${schedule}`,
        ConditionExpression: 'terminal = :no',
        ExpressionAttributeNames: { '#failed': 'failed', ...(!cancelled && { '#due': 'due' }) },
        ExpressionAttributeValues: {
          ':stage': stage,
          ':yes': true,
          ':no': false,
          ':failed': failed,
          ':end': endedAt.toISOString(),
          ':cancelled': cancelled,
          ':reason': reason ?? '',
        },
      },
    }),
    refuse: () => new JobEndedError(),
  };
}
