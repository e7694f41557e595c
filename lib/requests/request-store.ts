import type { RequestId, UserId } from '#lib/catalog/identifiers.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { quotaRequestKey, quotaRequestPrefix, userPartition } from '#lib/table/keys.ts';
import type { Page } from '#lib/table/page.ts';
import { queryPage, readItem, selectPrefix } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { RequestNotFoundError } from './errors.ts';
import { type QuotaRequest, requestFromItem, requestToItem } from './quota-request.ts';

export async function findRequest(table: Table, id: RequestId): Promise<QuotaRequest> {
  const request = await readItem(table, quotaRequestKey(id), requestFromItem);
  if (!request) throw new RequestNotFoundError();
  return request;
}

/** Finds the caller's own request. Other users' requests count as missing. */
export async function findOwnRequest(
  table: Table,
  user: UserId,
  id: RequestId,
): Promise<QuotaRequest> {
  const request = await findRequest(table, id);
  if (request.user !== user) throw new RequestNotFoundError();
  return request;
}

/** Lists a user's requests, oldest first. */
export async function listOwnRequests(
  table: Table,
  user: UserId,
  limit: number,
  after?: RequestId,
): Promise<Page<QuotaRequest, RequestId>> {
  const { Items } = await queryPage(table, {
    ...selectPrefix({ PK: userPartition(user), prefix: quotaRequestPrefix }),
    // One more than the page, to see whether the list continues. A page is far below the limit of
    // a read.
    Limit: limit + 1,
    ...(after !== undefined && { ExclusiveStartKey: { ...quotaRequestKey(after) } }),
  });
  const entries = Items.slice(0, limit).map(requestFromItem);
  return { entries, next: Items.length > limit ? entries.at(-1)?.id : undefined };
}

/** Ids are random. The condition costs nothing and keeps a collision from overwriting a request. */
export function putRequest(request: QuotaRequest): Step {
  return {
    Put: { Item: requestToItem(request), ...ifMissing },
    refuse: () => new Error('A request with this identifier already exists.'),
  };
}

/** Only an open request can end, so each ends once. */
export function saveEnd(ended: QuotaRequest): Step {
  return {
    Put: {
      Item: requestToItem(ended),
      ConditionExpression: '#state = :open',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':open': 'open' },
    },
    refuse: () => new StaleReadError(),
  };
}
