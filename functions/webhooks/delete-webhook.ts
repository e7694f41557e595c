import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { presentWebhook } from '#lib/http/presenters/present-webhook.ts';
import { ok } from '#lib/http/respond.ts';
import { deleteWebhook } from '#lib/webhooks/webhook-store.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

export const handler = apiHandler(endpoints, 'delete-webhook', {
  delete: answer({}, async ({ caller, path }) =>
    ok(presentWebhook(await deleteWebhook(table, caller.userId, path.webhook_id))),
  ),
});
