import { randomUUID } from 'node:crypto';
import type { Act, Detail } from '#lib/audit/act.ts';
import { recordAct } from '#lib/audit/audit-store.ts';
import type { RequestId, UserId } from '#lib/catalog/identifiers.ts';
import type { Step } from '#lib/table/transaction.ts';
import { type LedgerKind, writeLedgerLine } from '../ledger.ts';
import { type Amount, accountOf, type Quota } from '../quota.ts';

export interface QuotaOrder {
  readonly user: UserId;
  readonly project: Quota['project'];
  readonly reason: string;
  /** The administrator. */
  readonly by: string;
  /** The request for more that the order answers, if any. */
  readonly request?: RequestId | undefined;
}

/** What an order changed, as ledger and audit show it. */
export interface OrderRecord {
  readonly act: Act['kind'];
  /** The ledger line, if an amount changed. `added` is the change of `left`. */
  readonly line?: { readonly kind: LedgerKind; readonly added: Amount } | undefined;
  readonly details: Readonly<Record<string, Detail>>;
}

/**
 * Writes the ledger line and the audit line of an order. Both carry the act's id, so each leads to
 * the other.
 */
export function recordOrder(order: QuotaOrder, record: OrderRecord, at: Date): Step[] {
  const { by, reason, request } = order;
  const { act: kind, line } = record;
  const details = { ...record.details, ...(request !== undefined && { request_id: request }) };
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
