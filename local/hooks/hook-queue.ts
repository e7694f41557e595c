import { budgetHolder } from '#lib/catalog/identifiers.ts';
import type { SlipwayEvent } from '#lib/events/event.ts';
import type { DueKey } from '#lib/table/due-index.ts';
import { deliveryKey } from '#lib/table/keys.ts';
import { queryAll } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import {
  type Delivery,
  deliveryFromItem,
  newDeliveryToItem,
} from '#lib/webhooks/deliveries/delivery.ts';
import { putDelivery } from '#lib/webhooks/deliveries/delivery-store.ts';
import { subjectOf } from './describe-for-hook.ts';

/** The moment of the last event. Later ones sort behind it, even within a millisecond. */
let lastMs = 0;

/**
 * Queues a run of a hook behind those for the same user or project of the same system. It is a
 * delivery, as of a webhook. An event that arrives again is queued again, and so are those after it.
 */
export async function queueHook(table: Table, event: SlipwayEvent, now: Date): Promise<void> {
  const { hpc, name } = subjectOf(event);
  lastMs = Math.max(now.getTime(), lastMs + 1);
  const queued = {
    webhookId: `${hpc}/${name}`,
    owner: event.owner ?? budgetHolder,
    eventId: event.id,
    eventType: event.type,
    eventAt: new Date(lastMs),
    body: JSON.stringify(event),
  };
  await putDelivery(table, newDeliveryToItem(queued, now, 'HOOKS'));
}

/** Reads the runs of a queue that wait, first ones first. */
export async function readWaiting(table: Table, queue: string): Promise<Delivery[]> {
  const query = {
    KeyConditionExpression: 'PK = :queue',
    FilterExpression: '#state = :waiting',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':queue': queue, ':waiting': 'waiting' },
    ConsistentRead: true,
  };
  return queryAll(table, query, deliveryFromItem);
}

export function dueKeyOf({ webhookId, eventAt, eventId, nextTry }: Delivery): DueKey {
  return { ...deliveryKey(webhookId, eventAt, eventId), dueAt: nextTry?.toISOString() ?? '' };
}
