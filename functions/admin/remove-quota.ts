import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { parseReason } from '#lib/http/parsers/parse-reason.ts';
import { presentQuotaWithUsage } from '#lib/http/presenters/present-usage.ts';
import { ok } from '#lib/http/respond.ts';
import { removeQuota } from '#lib/quotas/grants/remove-quota.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);

export const handler = apiHandler(
  routes,
  routes['remove-quota'],
  async ({ caller: { userId: by }, path, event }) => {
    const { user_id: user, project_name: project } = path;
    const order = { user, project, by, reason: parseReason(event) };
    return ok(presentQuotaWithUsage(await removeQuota(table, order)));
  },
);
