import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { RequestId, UserId } from '#lib/catalog/identifiers.ts';
import { quotaRequestKey, quotaRequestPrefix, userPartition } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { RequestNotFoundError, RequestsChangedError } from './errors.ts';
import type { QuotaRequest } from './quota-request.ts';
import { requestFromItem, requestToItem } from './request-item.ts';

export interface RequestPage {
  readonly requests: readonly QuotaRequest[];
  /** The request behind which the list goes on, where it does. */
  readonly next: RequestId | undefined;
}

export async function findRequest(table: Table, id: RequestId): Promise<QuotaRequest> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: quotaRequestKey(id), ConsistentRead: true }),
  );
  if (!Item) throw new RequestNotFoundError();
  return requestFromItem(Item);
}

/** One's own: somebody else's is as if it were not there. */
export async function findOwnRequest(
  table: Table,
  user: UserId,
  id: RequestId,
): Promise<QuotaRequest> {
  const request = await findRequest(table, id);
  if (request.user !== user) throw new RequestNotFoundError();
  return request;
}

/** The oldest first. */
export async function listOwnRequests(
  table: Table,
  user: UserId,
  limit: number,
  after?: RequestId,
): Promise<RequestPage> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'PK = :user AND begins_with(SK, :requests)',
      ExpressionAttributeValues: {
        ':user': userPartition(user),
        ':requests': quotaRequestPrefix,
      },
      ConsistentRead: true,
      // One more than the page, to know whether the list goes on. A page is far below what one read holds.
      Limit: limit + 1,
      ...(after !== undefined && { ExclusiveStartKey: { ...quotaRequestKey(after) } }),
    }),
  );
  const requests = Items.slice(0, limit).map(requestFromItem);
  return { requests, next: Items.length > limit ? requests.at(-1)?.id : undefined };
}

/** Identifiers are random: the condition costs nothing, and a collision must not overwrite one. */
export function putRequest(request: QuotaRequest): Step {
  return {
    write: (tableName) => ({
      Put: {
        TableName: tableName,
        Item: requestToItem(request),
        ConditionExpression: 'attribute_not_exists(PK)',
      },
    }),
    refuse: () => new Error('A request with this identifier already exists.'),
  };
}

/** Only one that is open ends, and so each ends once. */
export function saveEnd(ended: QuotaRequest): Step {
  return {
    write: (tableName) => ({
      Put: {
        TableName: tableName,
        Item: requestToItem(ended),
        ConditionExpression: '#state = :open',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':open': 'open' },
      },
    }),
    refuse: () => new RequestsChangedError(),
  };
}
