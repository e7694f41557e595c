import * as v from 'valibot';
import { eventTypes, isForAdministrators } from '#lib/events/event.ts';
import { attribute, defineItem, moment, optional, text } from '#lib/table/define-item.ts';
import { webhookKey, webhookRegistryKeys } from '#lib/table/keys.ts';
import { StoredUserId } from '#lib/table/stored-names.ts';
import type { Webhook } from './webhook.ts';

const storedWebhook = defineItem('webhook', {
  id: text('webhook_id'),
  owner: attribute('owner', StoredUserId),
  url: text('url'),
  events: attribute('events', v.array(v.picklist(eventTypes))),
  description: text('description'),
  createdAt: moment('created'),
  /** In plain text, because the service signs with it. The table is encrypted with its own key. */
  secret: text('secret'),
  failingSince: optional(moment('failing_since')),
});

export function webhookToItem(webhook: Webhook) {
  return {
    ...webhookKey(webhook.owner, webhook.id),
    ...(webhook.events.some(isForAdministrators) && webhookRegistryKeys(webhook.id)),
    ...storedWebhook.format({ ...webhook, events: [...webhook.events] }),
  };
}

export function webhookFromItem(stored: unknown): Webhook {
  return storedWebhook.parse(stored);
}
