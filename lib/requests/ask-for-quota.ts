import type { RequestId, UserId } from '#lib/catalog/identifiers.ts';
import { accountOf } from '#lib/quotas/quota.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, writeTransaction } from '#lib/table/transaction.ts';
import { addOpenRequest, judgeAsking, planEnd, readOpenRequests } from './open-requests.ts';
import { type NewRequest, openRequest, type QuotaRequest } from './quota-request.ts';
import { findOwnRequest, putRequest } from './request-store.ts';

/** Opens a request. Of several simultaneous requests in a project, only one succeeds. */
export async function askForQuota(
  table: Table,
  asked: NewRequest,
  at = new Date(),
): Promise<QuotaRequest> {
  const request = openRequest(asked, at);
  return decideUntilWritten(async () => {
    const open = await readOpenRequests(table, asked.user);
    const refusal = judgeAsking(open, accountOf(asked));
    if (refusal) throw refusal;
    await writeTransaction(table, [addOpenRequest(open, request), putRequest(request)]);
    return request;
  });
}

/** Withdraws a user's own request. Repeating it changes nothing. */
export async function withdrawRequest(
  table: Table,
  user: UserId,
  id: RequestId,
  at = new Date(),
): Promise<QuotaRequest> {
  return decideUntilWritten(async () => {
    const request = await findOwnRequest(table, user, id);
    if (request.state === 'withdrawn') return request;
    await writeTransaction(table, await planEnd(table, id, { state: 'withdrawn' }, at));
    return findOwnRequest(table, user, id);
  });
}
