import { readEnvironment, TableEnvironment } from '../../lib/config.ts';
import { apiHandler } from '../../lib/http/api-handler.ts';
import { refuseQuery } from '../../lib/http/parsers/read-query.ts';
import { presentQuota } from '../../lib/http/presenters/present-quota.ts';
import { ok } from '../../lib/http/respond.ts';
import { findQuota, readQuotas } from '../../lib/quotas/quota-store.ts';
import { openTable } from '../../lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);

export const handler = apiHandler(routes, routes['read-user-quotas'], async ({ path, event }) => {
  refuseQuery(event);
  const { user_id: user, hpc, project_name: project } = path;
  if (hpc && project) {
    const place = { user, hpc: hpc.name, project: project.name };
    return ok(presentQuota(await findQuota(table, place)));
  }
  const quotas = await readQuotas(table, user, hpc?.name);
  return ok(quotas.map(presentQuota));
});
