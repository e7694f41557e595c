import { randomBytes, randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { eventTypes, isForAdministrators, isForEverybody } from '#lib/events/event.ts';
import {
  attribute,
  defineItem,
  moment,
  optional,
  type Stored,
  text,
} from '#lib/table/define-item.ts';
import {
  systemWebhookRegistry,
  webhookKey,
  webhookRegistry,
  webhookRegistryKeys,
} from '#lib/table/keys.ts';
import { userField } from '#lib/table/named-fields.ts';

/** A URL to which a user's events are pushed. */
const storedWebhook = defineItem('webhook', () => ({
  id: text('webhook_id'),
  owner: userField('owner'),
  url: text('url'),
  events: attribute('events', v.pipe(v.array(v.picklist(eventTypes)), v.readonly())),
  description: text('description'),
  createdAt: moment('created'),
  /**
   * Signs every push. Its owner sees it once, when the webhook is created. It is stored in plain
   * text, because the service signs with it. The table is encrypted with its own key.
   */
  secret: text('secret'),
  /** When tries started to fail or to be slow. Undefined if the last one was fine. */
  failingSince: optional(moment('failing_since')),
}));

export interface Webhook extends Stored<typeof storedWebhook> {}

export function webhookToItem(webhook: Webhook) {
  return {
    ...webhookKey(webhook.owner, webhook.id),
    ...registryKeysOf(webhook),
    ...storedWebhook.format(webhook),
  };
}

/** An item is in one registry at most, so events of systems go to both. */
function registryKeysOf({ id, events }: Webhook) {
  if (events.some(isForAdministrators)) return webhookRegistryKeys(id, webhookRegistry);
  return events.some(isForEverybody) && webhookRegistryKeys(id, systemWebhookRegistry);
}

export const webhookFromItem: (stored: unknown) => Webhook = storedWebhook.parse;

export type NewWebhook = Pick<Webhook, 'owner' | 'url' | 'events' | 'description'>;

export const maxWebhooks = 10;

export function makeWebhook(wanted: NewWebhook, now: Date): Webhook {
  const secret = `${secretPrefix}${randomBytes(24).toString('base64')}`;
  return { ...wanted, id: randomUUID(), createdAt: now, secret };
}

/** The prefix of a Standard Webhooks secret, which is followed by 24 random bytes. */
export const secretPrefix = 'whsec_';
