import type { JobId, ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { ledgerKey, openingLedgerKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/writes/transaction.ts';

export const ledgerKinds = ['grant', 'hold', 'settle', 'refund', 'correction', 'expiry'] as const;

export type LedgerKind = (typeof ledgerKinds)[number];

export const jobOutcomes = ['succeeded', 'failed', 'cancelled'] as const;

export type JobOutcome = (typeof jobOutcomes)[number];

/** How a job ended: what reports count, beside the seconds that it used. */
export interface EndFacts {
  readonly outcome: JobOutcome;
  /** Whole seconds from its submission until it ran; nothing where it never did. */
  readonly waited?: number;
  /** Whole seconds that it ran, by the clock; nothing where it never did. */
  readonly ran?: number;
  /** Whole seconds that its system counts and that are not charged: it waited for this service. */
  readonly excused?: number;
  /** Whether the time is that of our own clock, because the system did not tell it. */
  readonly byClock?: boolean;
}

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
  /** Where the line settles a job: reports are made of these, and of nothing else. */
  readonly end?: EndFacts;
  /** When it was written down: lines are added at the end, and never in between. */
  readonly at: Date;
  readonly by: string;
  readonly reason: string;
  readonly jobId?: JobId;
  /** What an administrator did, where that was the cause. */
  readonly actId?: string;
  /** Whether the account begins with this line, so that it comes before others of its moment. */
  readonly opens?: boolean;
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
  const keyOf = line.opens ? openingLedgerKey : ledgerKey;
  return {
    ...keyOf(line, line.at, `${line.kind}#${line.jobId ?? line.actId ?? line.by}`),
    type: 'ledger-line',
    schema_version: 1,
    kind: line.kind,
    seconds: line.seconds,
    kilobytes: line.kilobytes,
    used: line.used,
    outcome: line.end?.outcome,
    waited: line.end?.waited,
    ran: line.end?.ran,
    excused: line.end?.excused,
    by_clock: line.end?.byClock,
    at: line.at.toISOString(),
    by: line.by,
    reason: line.reason,
    job_id: line.jobId,
    act_id: line.actId,
  };
}
