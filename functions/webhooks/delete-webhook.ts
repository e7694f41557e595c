import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { refuseQuery } from '#lib/http/parsers/read-query.ts';
import { presentWebhook } from '#lib/http/presenters/present-webhook.ts';
import { ok } from '#lib/http/respond.ts';
import { openTable } from '#lib/table/table.ts';
import { deleteWebhook } from '#lib/webhooks/webhook-store.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);

export const handler = apiHandler(
  routes,
  routes['delete-webhook'],
  async ({ caller, path, event }) => {
    refuseQuery(event);
    return ok(presentWebhook(await deleteWebhook(table, caller.userId, path.webhook_id)));
  },
);
