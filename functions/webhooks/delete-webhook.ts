import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { presentWebhook } from '#lib/http/presenters/present-webhook.ts';
import { ok } from '#lib/http/respond.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { deleteWebhook } from '#lib/webhooks/webhook-store.ts';
import { endpoints } from '../endpoints.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);
const endpoint = endpoints['delete-webhook'];

export const handler = apiHandler(endpoints, endpoint, {
  delete: answer(endpoint.paths.delete, {}, async ({ caller, path }) =>
    ok(presentWebhook(await deleteWebhook(table, caller.userId, path.webhook_id))),
  ),
});
