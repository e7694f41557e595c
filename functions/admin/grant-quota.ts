import { catalog } from '#lib/catalog/catalog.ts';
import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { parseQuotaChange } from '#lib/http/parsers/parse-quota-change.ts';
import { quotaLocation } from '#lib/http/presenters/present-quota.ts';
import { presentQuotaWithUsage } from '#lib/http/presenters/present-usage.ts';
import { created, ok } from '#lib/http/respond.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);

export const handler = apiHandler(
  routes,
  routes['grant-quota'],
  async ({ caller: { userId: by }, path, event }) => {
    const { user_id: user, project_name: project } = path;
    const order = { user, project, by, ...parseQuotaChange(event) };
    const granted = await grantQuota(table, catalog, order);
    const body = presentQuotaWithUsage(granted.quota);
    return granted.created ? created(body, quotaLocation(granted.quota)) : ok(body);
  },
);
