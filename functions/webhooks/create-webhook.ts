import { readPushRules } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { webhookBody } from '#lib/http/parsers/bodies/webhook-body.ts';
import {
  presentDelivery,
  presentNewWebhook,
  webhookLocation,
} from '#lib/http/presenters/present-webhook.ts';
import { created, ok } from '#lib/http/respond.ts';
import { queueAgain, queueTest } from '#lib/webhooks/deliveries/queue-by-hand.ts';
import { createWebhook } from '#lib/webhooks/webhook-store.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

export const handler = apiHandler(endpoints, 'create-webhook', {
  create: answer({ body: webhookBody(readPushRules()) }, async ({ caller, body }) => {
    const { userId: owner, administrator: byAdministrator } = caller;
    const webhook = await createWebhook(table, { owner, byAdministrator, ...body });
    return created(presentNewWebhook(webhook), webhookLocation(webhook));
  }),
  test: answer({}, async ({ caller, path }) =>
    ok(presentDelivery(await queueTest(table, caller.userId, path.webhook_id))),
  ),
  again: answer({}, async ({ caller, path }) =>
    ok(presentDelivery(await queueAgain(table, caller.userId, path.webhook_id, path.delivery_id))),
  ),
});
