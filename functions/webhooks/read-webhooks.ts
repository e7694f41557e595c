import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { PathNotFoundError } from '#lib/http/errors.ts';
import { parseDeliveryLimit } from '#lib/http/parsers/parse-webhook.ts';
import { refuseQuery } from '#lib/http/parsers/read-query.ts';
import { presentDelivery, presentWebhook } from '#lib/http/presenters/present-webhook.ts';
import { ok } from '#lib/http/respond.ts';
import { openTable } from '#lib/table/table.ts';
import { readDeliveries } from '#lib/webhooks/deliveries/delivery-store.ts';
import { findWebhook, listWebhooks } from '#lib/webhooks/webhook-store.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);

export const handler = apiHandler(
  routes,
  routes['read-webhooks'],
  async ({ caller, path, event }) => {
    const { webhook_id: id, view } = path;
    if (view !== undefined && view !== 'deliveries') throw new PathNotFoundError();
    if (view === undefined) refuseQuery(event);
    if (id === undefined) return ok((await listWebhooks(table, caller.userId)).map(presentWebhook));
    const webhook = await findWebhook(table, caller.userId, id);
    if (view === undefined) return ok(presentWebhook(webhook));
    const deliveries = await readDeliveries(table, webhook.id, parseDeliveryLimit(event));
    return ok(deliveries.map(presentDelivery));
  },
);
