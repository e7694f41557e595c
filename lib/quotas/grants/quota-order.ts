import { randomUUID } from 'node:crypto';
import type { Act, Detail } from '#lib/audit/act.ts';
import { recordAct } from '#lib/audit/audit-store.ts';
import type { RequestId, UserId } from '#lib/catalog/identifiers.ts';
import type { Step } from '#lib/table/transaction.ts';
import { type LedgerKind, writeLedgerLine } from '../ledger.ts';
import {
  type Amount,
  accountOf,
  budgetOf,
  nothing,
  type Quota,
  subjectOf,
  subtract,
} from '../quota.ts';
import { moveShare } from '../shares/move-share.ts';

export interface QuotaOrder {
  readonly user: UserId;
  readonly project: Quota['project'];
  readonly reason: string;
  /** The administrator, or the leader. */
  readonly by: string;
  /** True for a leader's order, which is taken from the project's budget. */
  readonly fromBudget?: boolean | undefined;
  /** The request for more that the order answers, if any. */
  readonly request?: RequestId | undefined;
}

/** What an order changed, as ledger and audit show it. */
export interface OrderRecord {
  readonly act: Act['kind'];
  /** The ledger line, if an amount changed. `added` is the change of `left`. */
  readonly line?: { readonly kind: LedgerKind; readonly added: Amount } | undefined;
  /** What moves from the project's budget to the quota, or back if it is negative. */
  readonly share?: Amount | undefined;
  readonly details: Readonly<Record<string, Detail>>;
}

/**
 * Writes the ledger line and the audit line of an order, and moves its share from or to the budget.
 * All lines carry the act's id, so each leads to the others.
 */
export function recordOrder(order: QuotaOrder, record: OrderRecord, at: Date): Step[] {
  const { by, reason, request } = order;
  const { act: kind, line: own, share } = record;
  const details = {
    ...record.details,
    ...(record.share && {
      budget_time: -record.share.seconds,
      budget_space: -record.share.kilobytes,
    }),
    ...(request !== undefined && { request_id: request }),
  };
  const why = request === undefined ? reason : `request ${request}: ${reason}`;
  const account = accountOf(order);
  const id = randomUUID();
  const line = { at, by, reason: why, actId: id };
  return [
    ...(own ? [writeLedgerLine({ ...account, kind: own.kind, ...own.added, ...line })] : []),
    ...(share
      ? [
          moveShare(account, share, at),
          writeLedgerLine({
            ...budgetOf(account),
            kind: 'share',
            ...subtract(nothing, share),
            member: account.user,
            ...line,
          }),
        ]
      : []),
    recordAct({ id, kind, at, by, reason, subject: subjectOf(account), details }),
  ];
}
