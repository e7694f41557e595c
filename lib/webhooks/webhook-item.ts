import * as v from 'valibot';
import { eventTypes, isForAdministrators } from '#lib/events/event.ts';
import { webhookKey, webhookRegistryKeys } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { StoredUserId } from '#lib/table/stored-names.ts';
import type { Webhook } from './webhook.ts';

const WebhookItem = v.object({
  type: v.literal('webhook'),
  schema_version: v.literal(1),
  webhook_id: v.string(),
  owner: StoredUserId,
  url: v.string(),
  events: v.array(v.picklist(eventTypes)),
  description: v.string(),
  created: v.string(),
  /** As it is: the service signs with it. The table is encrypted with a key of its own. */
  secret: v.string(),
  failing_since: v.optional(v.string()),
});

export function webhookToItem(webhook: Webhook) {
  return {
    ...webhookKey(webhook.owner, webhook.id),
    ...(webhook.events.some(isForAdministrators) && webhookRegistryKeys(webhook.id)),
    type: 'webhook',
    schema_version: 1,
    webhook_id: webhook.id,
    owner: webhook.owner,
    url: webhook.url,
    events: [...webhook.events],
    description: webhook.description,
    created: webhook.createdAt.toISOString(),
    secret: webhook.secret,
  } satisfies v.InferInput<typeof WebhookItem> & ReturnType<typeof webhookKey>;
}

export function webhookFromItem(stored: unknown): Webhook {
  const item = parseItem(WebhookItem, stored);
  return {
    id: item.webhook_id,
    owner: item.owner,
    url: item.url,
    events: item.events,
    description: item.description,
    createdAt: new Date(item.created),
    secret: item.secret,
    ...(item.failing_since !== undefined && { failingSince: new Date(item.failing_since) }),
  };
}
