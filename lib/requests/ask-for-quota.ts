import type { RequestId, UserId } from '#lib/catalog/identifiers.ts';
import { accountOf } from '#lib/quotas/quota.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten } from '#lib/table/writes/decide-until-written.ts';
import { writeTransaction } from '#lib/table/writes/transaction.ts';
import { addOpenRequest, judgeAsking, planEnd, readOpenRequests } from './open-requests.ts';
import { openRequest, type QuotaRequest, type RequestWish } from './quota-request.ts';
import { findOwnRequest, putRequest } from './request-store.ts';

/** One open request in a project: of any number at the same moment, one is taken. */
export async function askForQuota(
  table: Table,
  wish: RequestWish,
  at = new Date(),
): Promise<QuotaRequest> {
  const request = openRequest(wish, at);
  return decideUntilWritten(async () => {
    const open = await readOpenRequests(table, wish.user);
    const refusal = judgeAsking(open, accountOf(wish));
    if (refusal) throw refusal;
    await writeTransaction(table, [addOpenRequest(open, request), putRequest(request)]);
    return request;
  });
}

/** By whoever has asked. One that is withdrawn stays so, however often it is. */
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
