import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { deliveryKey, deliveryPartition, listDeliveryShards } from '#lib/table/keys.ts';
import { type DueKey, findDue } from '#lib/table/reads/due-index.ts';
import type { Table } from '#lib/table/table.ts';
import { unlessRefused } from '#lib/table/writes/was-written.ts';
import type { Delivery, DeliveryTry, TryOutcome } from './delivery.ts';
import { deliveryFromItem, type newDeliveryToItem, tryToItem } from './delivery-item.ts';

/** A delivery that this process has taken up: nobody else tries it until it is due again. */
export interface TakenDelivery extends DueKey {
  readonly delivery: Delivery;
}

/** The log tells the last tries; a day of them is fewer. */
const keptTries = 20;

/** Once, however often it is told; nothing where it was queued before. */
export async function putDelivery(
  table: Table,
  item: ReturnType<typeof newDeliveryToItem>,
): Promise<DueKey | undefined> {
  const written = await unlessRefused(
    table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: item,
        ConditionExpression: 'attribute_not_exists(PK)',
      }),
    ),
  );
  return written && { PK: item.PK, SK: item.SK, dueAt: item.due_at };
}

/** Those that wait longest first. */
export function findDueDeliveries(
  table: Table,
  now: Date,
  limitOfShard: number,
): Promise<DueKey[]> {
  return findDue(table, listDeliveryShards(), now, limitOfShard);
}

/**
 * Takes a delivery up until `until`, or finds that another process was first: the condition is on
 * the very moment that was read. It counts the try in the same write, so that one that kills its
 * process counts too.
 */
export async function takeUpDelivery(
  table: Table,
  due: DueKey,
  until: Date,
): Promise<TakenDelivery | undefined> {
  const taken = await changeDue(table, due, 'SET due_at = :until ADD try_count :one', {
    ':until': until.toISOString(),
    ':one': 1,
  });
  if (!taken) return undefined;
  const delivery = deliveryFromItem(taken.Attributes);
  return { PK: due.PK, SK: due.SK, dueAt: until.toISOString(), delivery };
}

/** Leaves it for later without a try. */
export async function postponeDelivery(table: Table, due: DueKey, until: Date): Promise<void> {
  await changeDue(table, due, 'SET due_at = :until', { ':until': until.toISOString() });
}

/** A process that was slower than its lease changes nothing any more. */
export async function saveTry(
  table: Table,
  taken: TakenDelivery,
  attempt: DeliveryTry,
  { state, nextTry }: TryOutcome,
): Promise<void> {
  const next = nextTry ? ', due_at = :next' : ' REMOVE #due, due_at';
  await changeDue(
    table,
    taken,
    `SET #state = :state, tries = :tries${next}`,
    {
      ':state': state,
      ':tries': [...taken.delivery.tries, attempt].slice(-keptTries).map(tryToItem),
      ...(nextTry && { ':next': nextTry.toISOString() }),
    },
    { '#state': 'state', ...(!nextTry && { '#due': 'due' }) },
  );
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** The place behind which the log goes on, if it does. */
  readonly next: string | undefined;
}

/** Reads a page of a webhook's log, the newest events first. */
export async function readDeliveries(
  table: Table,
  webhookId: string,
  limit: number,
  after?: string,
): Promise<DeliveryPage> {
  const partition = deliveryPartition(webhookId);
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'PK = :webhook',
      ExpressionAttributeValues: { ':webhook': partition },
      ScanIndexForward: false,
      ConsistentRead: true,
      // One more than the page, to know whether the log goes on.
      Limit: limit + 1,
      ...(after !== undefined && { ExclusiveStartKey: { PK: partition, SK: after } }),
    }),
  );
  const deliveries = Items.slice(0, limit).map(deliveryFromItem);
  const last = deliveries.at(-1);
  // An answer of the table ends after a megabyte, too.
  const goesOn = Items.length > limit || LastEvaluatedKey !== undefined;
  return {
    deliveries,
    next: last && goesOn ? deliveryKey(webhookId, last.eventAt, last.eventId).SK : undefined,
  };
}

function changeDue(
  table: Table,
  { PK, SK, dueAt }: DueKey,
  change: string,
  values: Readonly<Record<string, unknown>>,
  names?: Record<string, string>,
) {
  return unlessRefused(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { PK, SK },
        UpdateExpression: change,
        ConditionExpression: 'due_at = :seen',
        ExpressionAttributeValues: { ...values, ':seen': dueAt },
        ...(names && { ExpressionAttributeNames: names }),
        ReturnValues: 'ALL_NEW',
      }),
    ),
  );
}
