import { randomUUID } from 'node:crypto';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import { DeliveryNotFoundError } from '../errors.ts';
import { findWebhook } from '../webhook-store.ts';
import {
  type Delivery,
  deliveryFromItem,
  newDeliveryToItem,
  parseDeliveryId,
  testType,
} from './delivery.ts';
import { putDelivery, requeueDelivery } from './delivery-store.ts';
import { writeBody } from './queue-deliveries.ts';

/**
 * Queues a test for a webhook. The sweep sends it, because functions that answer requests must not
 * call addresses that strangers name.
 */
export async function queueTest(
  table: Table,
  owner: UserId,
  webhookId: string,
  now = new Date(),
): Promise<Delivery> {
  const webhook = await findWebhook(table, owner, webhookId);
  const id = `test-${randomUUID()}`;
  const body = writeBody({ id, type: testType, at: now, data: { webhook_id: webhook.id } });
  const item = newDeliveryToItem(
    { webhookId: webhook.id, owner, eventId: id, eventType: testType, eventAt: now, body },
    now,
  );
  await putDelivery(table, item);
  return deliveryFromItem(item);
}

/** Makes a delivery due again, also if it was delivered or given up. */
export async function queueAgain(
  table: Table,
  owner: UserId,
  webhookId: string,
  deliveryId: string,
  now = new Date(),
): Promise<Delivery> {
  const webhook = await findWebhook(table, owner, webhookId);
  const place = parseDeliveryId(deliveryId);
  const requeued = place && (await requeueDelivery(table, webhook.id, place, now));
  if (!requeued) throw new DeliveryNotFoundError();
  return requeued;
}
