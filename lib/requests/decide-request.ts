import { randomUUID } from 'node:crypto';
import { recordAct } from '#lib/audit/audit-store.ts';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { RequestId } from '#lib/catalog/identifiers.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { type Amount, accountOf } from '#lib/quotas/quota.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, writeTransaction } from '#lib/table/transaction.ts';
import { findOpenRequest, planEnd } from './open-requests.ts';
import type { QuotaRequest } from './quota-request.ts';
import { findRequest } from './request-store.ts';

/** A decision about a request, by an administrator or a leader. */
interface DecisionOrder {
  readonly request: RequestId;
  readonly by: string;
  readonly reason: string;
  /** True for a leader's decision, which is taken from the project's budget. */
  readonly fromBudget?: boolean | undefined;
}

interface Approval extends DecisionOrder {
  /** Set if the grant differs from what was asked for. */
  readonly granted?: Amount | undefined;
  /** Undefined keeps the end of the quota, null removes it. */
  readonly validUntil?: Date | null | undefined;
}

/**
 * Makes an ordinary grant in one transaction with the end of the request, so a request is granted
 * once.
 */
export async function approveRequest(
  table: Table,
  catalog: Catalog,
  { request: id, by, reason, fromBudget, validUntil, ...order }: Approval,
  at = new Date(),
): Promise<QuotaRequest> {
  const { user, project, wanted } = await findOpenRequest(table, id);
  const granted = order.granted ?? wanted;
  const decision = { by, reason, granted, validUntil: validUntil ?? undefined };
  await grantQuota(
    table,
    catalog,
    {
      user,
      project,
      by,
      reason,
      fromBudget,
      request: id,
      change: { amounts: { mode: 'add', ...granted }, validUntil },
      planBefore: () => planEnd(table, id, { state: 'approved', decision }, at),
    },
    at,
  );
  return findRequest(table, id);
}

export async function declineRequest(
  table: Table,
  { request: id, by, reason }: DecisionOrder,
  at = new Date(),
): Promise<QuotaRequest> {
  await decideUntilWritten(async () => {
    const request = await findRequest(table, id);
    const { seconds: time, kilobytes: space } = request.wanted;
    await writeTransaction(table, [
      ...(await planEnd(table, id, { state: 'declined', decision: { by, reason } }, at)),
      recordAct({
        id: randomUUID(),
        kind: 'request-declined',
        at,
        by,
        reason,
        subject: accountOf(request),
        details: { request_id: id, time, space },
      }),
    ]);
  });
  return findRequest(table, id);
}
