import { refusal, refusalSaying } from '#lib/errors/domain-error.ts';
import type { EventType } from '#lib/events/event.ts';

/** The webhook does not exist, or belongs to somebody else. The caller must not learn which. */
export class WebhookNotFoundError extends /* @__PURE__ */ refusal(
  'webhook-not-found',
  'Webhook not found. GET /webhooks/ lists yours.',
) {}

/** The log expires after 30 days, so a delivery may have existed. */
export class DeliveryNotFoundError extends /* @__PURE__ */ refusal(
  'delivery-not-found',
  'Delivery not found. GET /webhooks/{webhook_id}/deliveries/ lists those of 30 days.',
) {}

export class EventForAdministratorsError extends /* @__PURE__ */ refusalSaying(
  'event-for-administrators',
  (type: EventType) => `Only administrators can receive ${type}. Remove it from events.`,
) {}

export class TooManyWebhooksError extends /* @__PURE__ */ refusalSaying(
  'too-many-webhooks',
  (limit: number) => `You have ${limit} webhooks, and no more are allowed. Delete one first.`,
) {}
