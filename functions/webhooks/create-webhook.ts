import { readEnvironment, readPushRules, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { parseWebhook } from '#lib/http/parsers/parse-webhook.ts';
import { refuseQuery } from '#lib/http/parsers/read-query.ts';
import { presentNewWebhook, webhookLocation } from '#lib/http/presenters/present-webhook.ts';
import { created } from '#lib/http/respond.ts';
import { openTable } from '#lib/table/table.ts';
import { createWebhook } from '#lib/webhooks/webhook-store.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const rules = readPushRules();

export const handler = apiHandler(routes, routes['create-webhook'], async ({ caller, event }) => {
  refuseQuery(event);
  const webhook = await createWebhook(table, parseWebhook(caller, rules, event));
  return created(presentNewWebhook(webhook), webhookLocation(webhook));
});
