import type { RequestId } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { RequestEndedError } from './errors.ts';
import { dropOpenRequest, readOpenRequests } from './open-requests.ts';
import { type Ending, endRequest, type QuotaRequest } from './quota-request.ts';
import { findRequest, saveEnd } from './request-store.ts';

export async function findOpenRequest(table: Table, id: RequestId): Promise<QuotaRequest> {
  const request = await findRequest(table, id);
  if (request.state !== 'open') throw new RequestEndedError(request);
  return request;
}

/**
 * The steps that end a request, for the transaction of what is done with it. They hold for the
 * moment in which they were read: refused, whoever writes them reads and decides again, and learns
 * who was first.
 */
export async function planEnd(
  table: Table,
  id: RequestId,
  ending: Ending,
  at: Date,
): Promise<Step[]> {
  const request = await findOpenRequest(table, id);
  const open = await readOpenRequests(table, request.user);
  return [saveEnd(endRequest(request, ending, at)), dropOpenRequest(open, request)];
}
