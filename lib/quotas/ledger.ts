import type { JobId, ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { ledgerKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/writes/transaction.ts';

export const ledgerKinds = ['grant', 'hold', 'settle', 'refund', 'correction', 'expiry'] as const;

export type LedgerKind = (typeof ledgerKinds)[number];

/** One change of one quota. Amounts are what the change adds to what is left. */
export interface LedgerLine {
  readonly user: UserId;
  readonly hpc: SystemName;
  readonly project: ProjectName;
  readonly kind: LedgerKind;
  readonly seconds: number;
  readonly kilobytes: number;
  /** Of what a job held: the seconds that it used, where the line settles it. */
  readonly used?: number;
  /** When it was written down: lines are added at the end, and never in between. */
  readonly at: Date;
  readonly by: string;
  readonly reason: string;
  readonly jobId?: JobId;
  /** What an administrator did, where that was the cause. */
  readonly actId?: string;
}

/** Written only in the transaction that makes the change itself, so that the two never part. */
export function writeLedgerLine(line: LedgerLine): Step {
  return {
    write: (tableName) => ({
      Put: {
        TableName: tableName,
        Item: ledgerLineToItem(line),
        ConditionExpression: 'attribute_not_exists(PK)',
      },
    }),
    refuse: () => new Error(`The ledger already has this line: ${line.kind} ${line.jobId ?? ''}`),
  };
}

export function ledgerLineToItem(line: LedgerLine) {
  return {
    ...ledgerKey(line, line.at, `${line.kind}#${line.jobId ?? line.actId ?? line.by}`),
    type: 'ledger-line',
    schema_version: 1,
    kind: line.kind,
    seconds: line.seconds,
    kilobytes: line.kilobytes,
    used: line.used,
    at: line.at.toISOString(),
    by: line.by,
    reason: line.reason,
    job_id: line.jobId,
    act_id: line.actId,
  };
}
