import type { JobId, ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { ledgerKey, openingLedgerKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/transaction.ts';

export const ledgerKinds = ['grant', 'hold', 'settle', 'refund', 'correction', 'expiry'] as const;

export type LedgerKind = (typeof ledgerKinds)[number];

export const jobOutcomes = ['succeeded', 'failed', 'cancelled'] as const;

export type JobOutcome = (typeof jobOutcomes)[number];

/** How a job ended. Reports count this besides the seconds used. */
export interface EndFacts {
  readonly outcome: JobOutcome;
  /** Whole seconds from submission until the job ran, if it ran. */
  readonly waited?: number;
  /** Whole seconds of wall clock that the job ran, if it ran. */
  readonly ran?: number;
  /**
   * Whole seconds that the system counts but nobody is charged for, because the job waited for this
   * service.
   */
  readonly excused?: number;
  /** True if the system did not tell the time, so our own clock measured it. */
  readonly byClock?: boolean;
}

/** One change of one quota. The amounts are what the change adds to `left`. */
export interface LedgerLine {
  readonly user: UserId;
  readonly hpc: SystemName;
  readonly project: ProjectName;
  readonly kind: LedgerKind;
  readonly seconds: number;
  readonly kilobytes: number;
  /** For a line that settles a job: the seconds of its hold that the job used. */
  readonly used?: number;
  /** For a line that settles a job. Reports are built from this alone. */
  readonly end?: EndFacts;
  /** When the line was written. Lines are only ever added at the end. */
  readonly at: Date;
  readonly by: string;
  readonly reason: string;
  readonly jobId?: JobId;
  /** The administrator's act that caused the line, if any. */
  readonly actId?: string;
  /** True for the first line of an account. It sorts before other lines of the same moment. */
  readonly opens?: boolean;
}

/**
 * Writes a line. It always belongs in the transaction that makes the change, so the two never
 * diverge.
 */
export function writeLedgerLine(line: LedgerLine): Step {
  return {
    Put: { Item: ledgerLineToItem(line), ...ifMissing },
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
