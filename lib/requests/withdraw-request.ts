import type { RequestId, UserId } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten } from '#lib/table/writes/decide-until-written.ts';
import { writeTransaction } from '#lib/table/writes/transaction.ts';
import { planEnd } from './plan-end.ts';
import type { QuotaRequest } from './quota-request.ts';
import { findOwnRequest } from './request-store.ts';

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
