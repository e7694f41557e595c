import * as v from 'valibot';
import { isStoredUserId, type UserId } from '#lib/catalog/identifiers.ts';
import {
  eventTypes,
  isForAdministrators,
  isForEverybody,
  type SlipwayEvent,
} from '#lib/events/event.ts';
import type { DueKey } from '#lib/table/due-index.ts';
import { systemWebhookRegistry, webhookRegistry } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Webhook } from '../webhook.ts';
import { listRegisteredWebhooks, listWebhooks } from '../webhook-store.ts';
import { newDeliveryToItem } from './delivery.ts';
import { putDelivery } from './delivery-store.ts';

/**
 * Queues one delivery for each webhook that wants this type of event: the owner's, those of
 * administrators, or for an event of a system everybody's. The key follows from the event, so an event that arrives twice is queued once.
 *
 * Returns the deliveries to try at once. It leaves out those that were queued before, and those for
 * a receiver whose last try failed or was slow. These wait for the schedule, so events do not wait
 * here for a receiver that is down.
 */
export async function queueDeliveries(
  table: Table,
  event: SlipwayEvent,
  now = new Date(),
): Promise<DueKey[]> {
  const webhooks = await listReceivers(table, event);
  const wanting = webhooks.filter(({ events }) => events.includes(event.type));
  const body = writeBody(event);
  const queued = await Promise.all(
    wanting.map(async (webhook) => {
      const due = await putDelivery(table, newDeliveryToItem(describe(event, webhook, body), now));
      return webhook.failingSince === undefined ? due : undefined;
    }),
  );
  return queued.filter((due) => due !== undefined);
}

async function listReceivers(table: Table, { type, owner }: SlipwayEvent): Promise<Webhook[]> {
  if (owner !== undefined && !isForAdministrators(type)) return listWebhooks(table, owner);
  const registries = isForEverybody(type)
    ? [systemWebhookRegistry, webhookRegistry]
    : [webhookRegistry];
  const lists = await Promise.all(registries.map((each) => listRegisteredWebhooks(table, each)));
  return lists.flat();
}

function describe({ id, type, at }: SlipwayEvent, webhook: Webhook, body: string) {
  const { id: webhookId, owner } = webhook;
  return { webhookId, owner, eventId: id, eventType: type, eventAt: at, body };
}

/**
 * Follows the form that Standard Webhooks proposes. Adds the id, for receivers that store bodies.
 */
export function writeBody({
  id,
  type,
  at,
  data,
}: Pick<SlipwayEvent, 'id' | 'at' | 'data'> & { readonly type: string }): string {
  return JSON.stringify({ id, type, timestamp: at.toISOString(), data });
}

/** The parts of a bus event that we need. Its id becomes a header and a part of a key. */
const Event = v.object({
  id: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,512}$/)),
  type: v.picklist(eventTypes),
  owner: v.exactOptional(v.custom<UserId>(isStoredUserId)),
  at: v.pipe(v.string(), v.isoTimestamp()),
  data: v.record(v.string(), v.unknown()),
});

const BusEvent = v.object({ source: v.literal('slipway'), detail: Event });

/** Throws if the event is not one of ours. The bus keeps events that no listener accepted. */
export function parseBusEvent(told: unknown): SlipwayEvent {
  return readEvent(v.parse(BusEvent, told).detail);
}

/** Reads an event that was stored as JSON. */
export function parseStoredEvent(text: string): SlipwayEvent {
  return readEvent(v.parse(Event, JSON.parse(text)));
}

function readEvent({ at, ...rest }: v.InferOutput<typeof Event>): SlipwayEvent {
  return { ...rest, at: new Date(at) };
}
