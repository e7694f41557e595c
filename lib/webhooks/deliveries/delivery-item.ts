import * as v from 'valibot';
import { eventTypes } from '#lib/events/event.ts';
import { deliveryDueKeys, deliveryKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { StoredUserId } from '#lib/table/stored-names.ts';
import type { Delivery, DeliveryTry } from './delivery.ts';

/** The log of a webhook goes back so far. */
const keptSeconds = 30 * 24 * 60 * 60;

const TryItem = v.object({
  at: v.string(),
  status: v.optional(v.number()),
  reason: v.optional(v.string()),
  ms: v.number(),
});

/** `due` and `due_at` only while it waits: the index of what is due is sparse. */
const DeliveryItem = v.object({
  type: v.literal('delivery'),
  schema_version: v.literal(1),
  webhook_id: v.string(),
  owner: StoredUserId,
  event_id: v.string(),
  event_type: v.picklist(eventTypes),
  event_at: v.string(),
  body: v.string(),
  state: v.picklist(['waiting', 'delivered', 'given-up']),
  try_count: v.number(),
  tries: v.array(TryItem),
  due_at: v.optional(v.string()),
  expires_at: v.number(),
});

/** A new one, due at once. */
export function newDeliveryToItem(
  delivery: Pick<Delivery, 'webhookId' | 'owner' | 'eventId' | 'eventType' | 'eventAt' | 'body'>,
  now: Date,
) {
  return {
    ...deliveryKey(delivery.webhookId, delivery.eventAt, delivery.eventId),
    ...deliveryDueKeys(now.toISOString()),
    type: 'delivery',
    schema_version: 1,
    webhook_id: delivery.webhookId,
    owner: delivery.owner,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    event_at: delivery.eventAt.toISOString(),
    body: delivery.body,
    state: 'waiting',
    try_count: 0,
    tries: [],
    expires_at: Math.floor(now.getTime() / 1000) + keptSeconds,
  } satisfies v.InferInput<typeof DeliveryItem> & ReturnType<typeof deliveryKey>;
}

export function deliveryFromItem(stored: unknown): Delivery {
  const item = parseItem(DeliveryItem, stored);
  return {
    webhookId: item.webhook_id,
    owner: item.owner,
    eventId: item.event_id,
    eventType: item.event_type,
    eventAt: new Date(item.event_at),
    body: item.body,
    state: item.state,
    nextTry: item.due_at === undefined ? undefined : new Date(item.due_at),
    tryCount: item.try_count,
    tries: item.tries.map(({ at, ...rest }) => ({ at: new Date(at), ...rest })),
  };
}

export function tryToItem({ at, ...rest }: DeliveryTry): v.InferInput<typeof TryItem> {
  return { at: at.toISOString(), ...rest };
}
