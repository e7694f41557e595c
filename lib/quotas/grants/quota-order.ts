import { randomUUID } from 'node:crypto';
import type { Act, Detail } from '#lib/audit/act.ts';
import { recordAct } from '#lib/audit/audit-store.ts';
import type { RequestId, UserId } from '#lib/catalog/identifiers.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { type LedgerKind, writeLedgerLine } from '../ledger.ts';
import { type Amount, accountOf, type Quota } from '../quota.ts';

/** What an administrator says about one quota of one user, and why. */
export interface QuotaOrder {
  readonly user: UserId;
  readonly project: Quota['project'];
  readonly reason: string;
  /** The administrator. */
  readonly by: string;
  /** The request that it answers, where it answers one. */
  readonly request?: RequestId | undefined;
}

/** What came of an order, as ledger and audit show it. */
export interface OrderOutcome {
  readonly act: Act['kind'];
  /** The kind of its line, and what was added to what is left; no line where no amount changed. */
  readonly line?: { readonly kind: LedgerKind; readonly added: Amount } | undefined;
  readonly details: Readonly<Record<string, Detail>>;
}

/** In ledger and audit. Both name the act, so that each finds the other. */
export function recordOrder(order: QuotaOrder, outcome: OrderOutcome, at: Date): Step[] {
  const { by, reason, request } = order;
  const { act: kind, line } = outcome;
  const details = { ...outcome.details, ...(request !== undefined && { request_id: request }) };
  const why = request === undefined ? reason : `request ${request}: ${reason}`;
  const subject = accountOf(order);
  const id = randomUUID();
  return [
    ...(line
      ? [
          writeLedgerLine({
            ...subject,
            kind: line.kind,
            ...line.added,
            at,
            by,
            reason: why,
            actId: id,
          }),
        ]
      : []),
    recordAct({ id, kind, at, by, reason, subject, details }),
  ];
}
