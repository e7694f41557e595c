import { DomainError } from '#lib/errors/domain-error.ts';
import type { EventType } from '#lib/events/event.ts';

/** The webhook does not exist, or belongs to somebody else. The caller must not learn which. */
export class WebhookNotFoundError extends DomainError {
  override readonly name = 'WebhookNotFoundError';
  constructor() {
    super('Webhook not found. GET /webhooks/ lists yours.');
  }
}

/** The log expires after 30 days, so a delivery may have existed. */
export class DeliveryNotFoundError extends DomainError {
  override readonly name = 'DeliveryNotFoundError';
  constructor() {
    super('Delivery not found. GET /webhooks/{webhook_id}/deliveries/ lists those of 30 days.');
  }
}

export class EventForAdministratorsError extends DomainError {
  override readonly name = 'EventForAdministratorsError';
  constructor(type: EventType) {
    super(`Only administrators can receive ${type}. Remove it from events.`);
  }
}

export class TooManyWebhooksError extends DomainError {
  override readonly name = 'TooManyWebhooksError';
  constructor(limit: number) {
    super(`You have ${limit} webhooks, and no more are allowed. Delete one first.`);
  }
}
