import type { UserId } from '#lib/catalog/identifiers.ts';
import type { EventType } from '#lib/events/event.ts';

/** One event on its way to one webhook. */
export interface Delivery {
  readonly webhookId: string;
  readonly owner: UserId;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly eventAt: Date;
  /** The text that is signed and sent, the same at every try. */
  readonly body: string;
  readonly state: DeliveryState;
  /** Set while the delivery waits. */
  readonly nextTry: Date | undefined;
  /** All tries that were started, including those without a result. */
  readonly tryCount: number;
  /** The latest tries, oldest first. */
  readonly tries: readonly DeliveryTry[];
}

type DeliveryState = 'waiting' | 'delivered' | 'given-up';

export interface DeliveryTry {
  readonly at: Date;
  /** The status of the response, if there was one. */
  readonly status?: number | undefined;
  /** Why the try was not a success, in words. */
  readonly reason?: string | undefined;
  readonly ms: number;
}

/** The state of a delivery after a try. Without a next try it is over. */
export interface DeliveryUpdate {
  readonly state: DeliveryState;
  readonly nextTry?: Date | undefined;
}
