import * as v from 'valibot';
import { eventTypes } from '#lib/events/event.ts';
import {
  attribute,
  defineItem,
  list,
  moment,
  number,
  optional,
  type Stored,
  text,
} from '#lib/table/define-item.ts';
import { deliveryKey, dueKeys } from '#lib/table/keys.ts';
import { userField } from '#lib/table/named-fields.ts';

/** The type of a test. It is not an event, so nobody subscribes to it. */
export const testType = 'webhook.test';

export const deliveredTypes = [...eventTypes, testType] as const;

/** How far back the log of a webhook goes. */
const keptSeconds = 30 * 24 * 60 * 60;

/** One event on its way to one webhook. */
const storedDelivery = defineItem('delivery', () => ({
  webhookId: text('webhook_id'),
  owner: userField('owner'),
  eventId: text('event_id'),
  eventType: attribute('event_type', v.picklist(deliveredTypes)),
  eventAt: moment('event_at'),
  /** When the owner asked to send it again. A day of retries starts then. */
  againAt: optional(moment('again_at')),
  /** The text that is signed and sent, the same at every try. */
  body: text('body'),
  state: attribute('state', v.picklist(['waiting', 'delivered', 'given-up'])),
  /** Stored only while the delivery waits, because the index of due items is sparse. */
  nextTry: optional(moment('due_at')),
  /** All tries that were started, including those without a result. */
  tryCount: number('try_count'),
  /** The latest tries, oldest first. */
  tries: list('tries', {
    at: moment('at'),
    status: optional(number('status')),
    /** Why the try was not a success, in words. */
    reason: optional(text('reason')),
    ms: number('ms'),
  }),
}));

export interface Delivery extends Stored<typeof storedDelivery> {}

export type DeliveryTry = Delivery['tries'][number];

/** The state of a delivery after a try. Without a next try it is over. */
export type DeliveryUpdate = Pick<Delivery, 'state' | 'nextTry'>;

/** Writes a new delivery, which is due at once. Programs on one machine have a queue of their own. */
export function newDeliveryToItem(
  delivery: Omit<Delivery, 'againAt' | 'state' | 'nextTry' | 'tryCount' | 'tries'>,
  now: Date,
  queue: 'DELIVERIES' | 'HOOKS' = 'DELIVERIES',
) {
  return {
    ...deliveryKey(delivery.webhookId, delivery.eventAt, delivery.eventId),
    ...dueKeys(queue, now),
    ...storedDelivery.format({ ...delivery, state: 'waiting', tryCount: 0, tries: [] }),
    expires_at: Math.floor(now.getTime() / 1000) + keptSeconds,
  };
}

/** Identifies a delivery in the log of its webhook, and says where the table has it. */
export function deliveryId({ eventAt, eventId }: Pick<Delivery, 'eventAt' | 'eventId'>): string {
  return `${eventAt.getTime()}-${eventId}`;
}

/** Returns undefined for text that cannot be the id of a delivery. */
export function parseDeliveryId(text: string): Pick<Delivery, 'eventAt' | 'eventId'> | undefined {
  if (!/^[0-9]{1,14}-[A-Za-z0-9_-]{1,512}$/.test(text)) return undefined;
  const dash = text.indexOf('-');
  return { eventAt: new Date(Number(text.slice(0, dash))), eventId: text.slice(dash + 1) };
}

export function deliveryFromItem(stored: unknown): Delivery {
  return { nextTry: undefined, ...storedDelivery.parse(stored) };
}

export function triesToItem(tries: readonly DeliveryTry[]): unknown {
  return storedDelivery.formatPart({ tries }).tries;
}
