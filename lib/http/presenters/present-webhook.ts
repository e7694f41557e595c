import { type Delivery, deliveryId } from '#lib/webhooks/deliveries/delivery.ts';
import type { Webhook } from '#lib/webhooks/webhook.ts';
import { timestamp } from './values.ts';

/** Leaves out the secret, which is shown only once. */
export function presentWebhook({ id, url, events, description, createdAt }: Webhook) {
  return { webhook_id: id, url, events, description, created: timestamp(createdAt) };
}

export function presentNewWebhook(webhook: Webhook) {
  return { ...presentWebhook(webhook), secret: webhook.secret };
}

export function webhookLocation({ id }: Webhook): string {
  return `/webhooks/${id}/`;
}

export function presentDelivery({ eventId, eventType, eventAt, ...delivery }: Delivery) {
  const { state, nextTry, tries } = delivery;
  return {
    delivery_id: deliveryId({ eventAt, eventId }),
    event_id: eventId,
    type: eventType,
    at: timestamp(eventAt),
    state,
    next_try: nextTry ? timestamp(nextTry) : null,
    tries: tries.map(({ at, status = null, reason = null, ms }) => ({
      at: timestamp(at),
      status,
      reason,
      ms,
    })),
  };
}
