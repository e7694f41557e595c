import * as v from 'valibot';
import { ifMissing } from '#lib/table/conditions.ts';
import {
  attribute,
  defineItem,
  flag,
  group,
  moment,
  number,
  optional,
  type Stored,
  text,
} from '#lib/table/define-item.ts';
import { type AccountKey, ledgerKey, openingLedgerKey } from '#lib/table/keys.ts';
import { batchIdField, jobIdField, userField } from '#lib/table/named-fields.ts';
import type { Step } from '#lib/table/transaction.ts';
import { jobOutcomes } from './job-outcomes.ts';

export const ledgerKinds = [
  'grant',
  'hold',
  'settle',
  'refund',
  'correction',
  'expiry',
  /** Only in the ledger of a budget: shared out to a member, or given back. */
  'share',
] as const;

export type LedgerKind = (typeof ledgerKinds)[number];

const storedLine = defineItem('ledger-line', () => ({
  /** The sort key, which orders the ledger. */
  key: text('SK'),
  kind: attribute('kind', v.picklist(ledgerKinds)),
  seconds: number('seconds'),
  kilobytes: number('kilobytes'),
  /** For a line that settles a job: the seconds of its hold that the job used. */
  used: optional(number('used')),
  /** How the settled job ended. Reports are built from this alone. Missing in old lines. */
  end: optional(
    group({
      outcome: attribute('outcome', v.picklist(jobOutcomes)),
      /** Whole seconds from submission until the job ran, if it ran. */
      waited: optional(number('waited')),
      /** Whole seconds of wall clock that the job ran, if it ran. */
      ran: optional(number('ran')),
      /**
       * Whole seconds that the system counts but nobody is charged for, because the job waited for
       * this service.
       */
      excused: optional(number('excused')),
      /** True if the system did not tell the time, so our own clock measured it. */
      byClock: optional(flag('by_clock')),
    }),
  ),
  /** For a job on a system with a price, in millionths of a US dollar. */
  cost: optional(
    group({
      /** The most that the job could have cost. */
      held: number('cost_held'),
      used: number('cost_used'),
    }),
  ),
  /** When the line was written. Lines are only ever added at the end. */
  at: moment('at'),
  by: text('by'),
  reason: text('reason'),
  jobId: optional(jobIdField()),
  /** The batch that the line is about, or that its job was submitted with. */
  batchId: optional(batchIdField()),
  /** The administrator's act that caused the line, if any. */
  actId: optional(text('act_id')),
  /** In the ledger of a budget: the member whom the line is about. */
  member: optional(userField('member')),
}));

/** A stored ledger line. Its amounts are what it added to `left`. */
export interface StoredLine extends Stored<typeof storedLine> {
  /** 0 if the line does not settle a job. */
  readonly used: number;
}

export type EndFacts = NonNullable<StoredLine['end']>;

/** One change of one quota. The amounts are what the change adds to `left`. */
export interface LedgerLine extends AccountKey, Omit<Stored<typeof storedLine>, 'key'> {
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
  const { PK, SK } = keyOf(line, line.at, `${line.kind}#${nameCause(line)}`);
  return { PK, ...storedLine.format({ ...line, key: SK }) };
}

/**
 * A batch gives back time and space in two lines, which may be of the same moment. So may the shares
 * of several members.
 */
function nameCause({ jobId, batchId, actId, by, seconds, member }: LedgerLine): string {
  if (jobId === undefined && batchId !== undefined && seconds === 0) return `${batchId}#space`;
  return jobId ?? batchId ?? actId ?? (member === undefined ? by : `${by}#${member}`);
}

export function lineFromItem(stored: unknown): StoredLine {
  const line = storedLine.parse(stored);
  return { ...line, used: line.used ?? 0 };
}
