import type { UserId } from '#lib/catalog/identifiers.ts';
import { type EventType, isForAdministrators } from '#lib/events/event.ts';
import { changeOf } from '#lib/table/change.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { userPartition, webhookCountKey, webhookKey, webhookPrefix } from '#lib/table/keys.ts';
import { queryPage, readItem, readItems, selectPrefix } from '#lib/table/reads.ts';
import { readRegistryKeys } from '#lib/table/registry.ts';
import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/transaction.ts';
import { changeItem, unlessRefused } from '#lib/table/writes.ts';
import {
  EventForAdministratorsError,
  TooManyWebhooksError,
  WebhookNotFoundError,
} from './errors.ts';
import {
  makeWebhook,
  maxWebhooks,
  type NewWebhook,
  type Webhook,
  webhookFromItem,
  webhookToItem,
} from './webhook.ts';

export function readWebhook(table: Table, owner: UserId, id: string): Promise<Webhook | undefined> {
  return readItem(table, webhookKey(owner, id), webhookFromItem);
}

export async function findWebhook(table: Table, owner: UserId, id: string): Promise<Webhook> {
  const webhook = await readWebhook(table, owner, id);
  if (!webhook) throw new WebhookNotFoundError();
  return webhook;
}

/** Lists a user's webhooks, oldest first. A user may have only a few, so one page holds them. */
export async function listWebhooks(table: Table, owner: UserId): Promise<Webhook[]> {
  const webhooks = selectPrefix({ PK: userPartition(owner), prefix: webhookPrefix });
  const { Items } = await queryPage(table, webhooks);
  return Items.map(webhookFromItem).sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/** Lists the webhooks in a registry: those that are told of more than what happens to their owner. */
export async function listRegisteredWebhooks(table: Table, registry: string): Promise<Webhook[]> {
  const webhooks: Webhook[] = [];
  let after: string | undefined;
  do {
    const { keys, goesOn } = await readRegistryKeys(table, registry, pageSize, after);
    const page = (await readItems(table, keys)).map(webhookFromItem);
    webhooks.push(...page);
    after = goesOn ? page.at(-1)?.id : undefined;
  } while (after !== undefined);
  return webhooks;
}

const pageSize = 100;

export async function createWebhook(
  table: Table,
  { byAdministrator = false, ...wanted }: NewWebhook & { readonly byAdministrator?: boolean },
  now = new Date(),
): Promise<Webhook> {
  const refusal = judgeEvents(wanted.events, byAdministrator);
  if (refusal) throw refusal;
  const webhook = makeWebhook(wanted, now);
  await writeTransaction(table, [countOneMore(wanted.owner), putWebhook(webhook)]);
  return webhook;
}

/** Deletes a webhook. Its waiting deliveries are dropped when they are due, and its log expires. */
export async function deleteWebhook(table: Table, owner: UserId, id: string): Promise<Webhook> {
  const webhook = await findWebhook(table, owner, id);
  await writeTransaction(table, [dropWebhook(webhook), countFewer(owner, 1)]);
  return webhook;
}

/** Returns the steps that take webhooks from their owner. Refused if one is gone since it was read. */
export function dropWebhooks(owner: UserId, webhooks: readonly Webhook[]): Step[] {
  if (webhooks.length === 0) return [];
  const refuse = () => new StaleReadError();
  return [
    ...webhooks.map((webhook) => ({ ...dropWebhook(webhook), refuse })),
    countFewer(owner, webhooks.length),
  ];
}

/** Records whether the webhook works. Writes only if that changed since the last try. */
export async function noteTry(
  table: Table,
  { owner, id, failingSince }: Webhook,
  { prompt, at }: { readonly prompt: boolean; readonly at: Date },
): Promise<void> {
  if (prompt === (failingSince === undefined)) return;
  await unlessRefused(
    changeItem(table, webhookKey(owner, id), {
      set: { failing_since: prompt ? undefined : at.toISOString() },
      // A webhook that was deleted meanwhile stays deleted.
      when: ['attribute_exists(PK)'],
    }),
  );
}

function putWebhook(webhook: Webhook): Step {
  return {
    Put: { Item: webhookToItem(webhook), ...ifMissing },
    refuse: () => new Error('A webhook with this identifier already exists.'),
  };
}

function dropWebhook({ owner, id }: Webhook): Step {
  return {
    Delete: { Key: webhookKey(owner, id), ConditionExpression: 'attribute_exists(PK)' },
    refuse: () => new WebhookNotFoundError(),
  };
}

/**
 * Counts in the transaction that creates the webhook, so two simultaneous requests cannot exceed
 * the limit.
 */
function countOneMore(owner: UserId): Step {
  return {
    Update: changeOf(webhookCountKey(owner), {
      set: { type: 'webhook-count', schema_version: 1 },
      add: { webhooks: 1 },
      when: ['(attribute_not_exists(webhooks) OR webhooks < :most)'],
      values: { ':most': maxWebhooks },
    }),
    refuse: () => new TooManyWebhooksError(maxWebhooks),
  };
}

function countFewer(owner: UserId, gone: number): Step {
  return {
    Update: changeOf(webhookCountKey(owner), {
      add: { webhooks: -gone },
      when: ['webhooks >= :gone'],
      values: { ':gone': gone },
    }),
    refuse: () => new Error(`The webhook count of ${owner} is wrong.`),
  };
}

/**
 * Only an administrator may subscribe to events of all users. The token decides when the webhook is
 * created.
 */
function judgeEvents(
  events: readonly EventType[],
  byAdministrator: boolean,
): EventForAdministratorsError | undefined {
  const reserved = events.find(isForAdministrators);
  return reserved === undefined || byAdministrator
    ? undefined
    : new EventForAdministratorsError(reserved);
}
