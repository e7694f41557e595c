import { randomUUID } from 'node:crypto';
import type { Act, Detail } from '#lib/audit/act.ts';
import { recordAct } from '#lib/audit/audit-store.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { type LedgerKind, writeLedgerLine } from '../ledger.ts';
import type { Amount } from '../quota.ts';

/** What an administrator says about one quota of one user, and why. */
export interface QuotaOrder {
  readonly user: UserId;
  readonly project: Project;
  readonly reason: string;
  /** The administrator. */
  readonly by: string;
}

export function placeOfOrder({ user, project }: QuotaOrder): AccountKey {
  return { user, hpc: project.hpc, project: project.name };
}

/** What an order did, as ledger and audit tell of it. */
export interface Deed {
  readonly act: Act['kind'];
  /** The kind of its line, and what was added to what is left; no line where no amount changed. */
  readonly line?: { readonly kind: LedgerKind; readonly added: Amount } | undefined;
  readonly details: Readonly<Record<string, Detail>>;
}

/** Both name the act, so that each finds the other. */
export function tellOf(order: QuotaOrder, { act: kind, line, details }: Deed, at: Date): Step[] {
  const { by, reason } = order;
  const subject = placeOfOrder(order);
  const id = randomUUID();
  return [
    ...(line
      ? [writeLedgerLine({ ...subject, kind: line.kind, ...line.added, at, by, reason, actId: id })]
      : []),
    recordAct({ id, kind, at, by, reason, subject, details }),
  ];
}
