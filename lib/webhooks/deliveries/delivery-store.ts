import { writeChange } from '#lib/table/change.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { changeDue, type DueKey, findDue, moveDue } from '#lib/table/due-index.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { deliveryKey, deliveryPartition, dueKeys, listShards } from '#lib/table/keys.ts';
import type { Page } from '#lib/table/page.ts';
import { queryPage, queryPages, selectAll } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { writeTransaction } from '#lib/table/transaction.ts';
import { putItem, unlessRefused, updateItem } from '#lib/table/writes.ts';
import { countDeliveryTry } from '#lib/telemetry/measurements.ts';
import {
  type Delivery,
  type DeliveryTry,
  type DeliveryUpdate,
  deliveryFromItem,
  type newDeliveryToItem,
  triesToItem,
} from './delivery.ts';

/** A delivery that this process has claimed. Nobody else tries it until it is due again. */
export interface ClaimedDelivery extends DueKey {
  readonly delivery: Delivery;
}

/** The log shows the latest tries. One day has fewer. */
const keptTries = 20;

/**
 * Queues a delivery once, however often its event arrives. Returns undefined if it was queued
 * before.
 */
export async function putDelivery(
  table: Table,
  item: ReturnType<typeof newDeliveryToItem>,
): Promise<DueKey | undefined> {
  const written = await unlessRefused(putItem(table, { Item: item, ...ifMissing }));
  return written && { PK: item.PK, SK: item.SK, dueAt: item.due_at };
}

/** Finds due deliveries, longest wait first. */
export function findDueDeliveries(
  table: Table,
  now: Date,
  limitOfShard: number,
): Promise<DueKey[]> {
  return findDue(table, listShards('DELIVERIES'), now, limitOfShard);
}

/** Claims a delivery until `until`, unless another process was first. */
export async function claimDelivery(
  table: Table,
  due: DueKey,
  until: Date,
): Promise<ClaimedDelivery | undefined> {
  const claimed = await moveDue(table, due, until, { try_count: 1 });
  return claimed && { ...due, dueAt: until.toISOString(), delivery: deliveryFromItem(claimed) };
}

/** Records a try. A process that was slower than its lease changes nothing. */
export async function saveTry(
  table: Table,
  claimed: ClaimedDelivery,
  tried: DeliveryTry,
  { state, nextTry }: DeliveryUpdate,
): Promise<void> {
  await changeDue(table, claimed, {
    set: {
      state,
      tries: triesToItem([...claimed.delivery.tries, tried].slice(-keptTries)),
      ...(!nextTry && { due: undefined }),
      due_at: nextTry?.toISOString(),
    },
  });
  countDeliveryTry(state);
}

/**
 * Makes a delivery due at once, whatever became of it. The log keeps its tries. Returns undefined
 * if there is no such delivery.
 */
export async function requeueDelivery(
  table: Table,
  webhookId: string,
  { eventAt, eventId }: Pick<Delivery, 'eventAt' | 'eventId'>,
  now: Date,
): Promise<Delivery | undefined> {
  const requeued = await unlessRefused(
    updateItem(table, {
      Key: deliveryKey(webhookId, eventAt, eventId),
      ...writeChange({
        set: {
          ...dueKeys('DELIVERIES', now),
          again_at: now.toISOString(),
          state: 'waiting',
          try_count: 0,
        },
        when: ['attribute_exists(PK)'],
      }),
      ReturnValues: 'ALL_NEW',
    }),
  );
  return requeued && deliveryFromItem(requeued.Attributes);
}

/** Reads a page of a webhook's log, newest events first. */
export async function readDeliveries(
  table: Table,
  webhookId: string,
  limit: number,
  after?: string,
): Promise<Page<Delivery, string>> {
  const partition = deliveryPartition(webhookId);
  const { Items, LastEvaluatedKey } = await queryPage(table, {
    ...selectAll(partition),
    ScanIndexForward: false,
    // One more than the page, so that there is no last key if the log ends with the page.
    Limit: limit + 1,
    ...(after !== undefined && { ExclusiveStartKey: { PK: partition, SK: after } }),
  });
  const entries = Items.slice(0, limit).map(deliveryFromItem);
  const last = entries.at(-1);
  return {
    entries,
    next:
      last && LastEvaluatedKey ? deliveryKey(webhookId, last.eventAt, last.eventId).SK : undefined,
  };
}

/** Removes the log of a webhook, with what still waits. Nothing else names what is removed. */
export async function removeDeliveries(table: Table, webhookId: string): Promise<void> {
  const log = { ...selectAll(deliveryPartition(webhookId)), Limit: removedAtOnce };
  for await (const page of queryPages(table, log, deliveryFromItem)) {
    const keys = page.map(({ eventAt, eventId }) => deliveryKey(webhookId, eventAt, eventId));
    const refuse = () => new StaleReadError();
    if (keys.length > 0) {
      await writeTransaction(
        table,
        keys.map((Key) => ({ Delete: { Key }, refuse })),
      );
    }
  }
}

/** The most that one transaction takes. */
const removedAtOnce = 100;
