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
  /** Only while it waits. */
  readonly nextTry: Date | undefined;
  /** All that were begun, also those that nothing came of. */
  readonly tryCount: number;
  /** The last ones, the oldest first. */
  readonly tries: readonly DeliveryTry[];
}

export type DeliveryState = 'waiting' | 'delivered' | 'given-up';

export interface DeliveryTry {
  readonly at: Date;
  /** What the receiver answered, where it did. */
  readonly status?: number | undefined;
  /** Why it is no success, for people. */
  readonly reason?: string | undefined;
  readonly ms: number;
}

/** What a try made of its delivery: without a next one it is over. */
export interface TryOutcome {
  readonly state: DeliveryState;
  readonly nextTry?: Date | undefined;
}
