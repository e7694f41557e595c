import { catalog } from '../../lib/catalog/catalog.ts';
import { readEnvironment, TableEnvironment } from '../../lib/config.ts';
import { apiHandler } from '../../lib/http/api-handler.ts';
import { refuseQuery } from '../../lib/http/parsers/read-query.ts';
import { presentQuota } from '../../lib/http/presenters/present-quota.ts';
import { ok } from '../../lib/http/respond.ts';
import { readOwnQuota, readOwnQuotas } from '../../lib/quotas/read-own-quotas.ts';
import { openTable } from '../../lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);

export const handler = apiHandler(
  routes,
  routes['read-quotas'],
  async ({ caller, path, event }) => {
    refuseQuery(event);
    const { hpc, project_name: project } = path;
    if (hpc && project) {
      const place = { user: caller.userId, hpc: hpc.name, project: project.name };
      return ok(presentQuota(await readOwnQuota(table, catalog, place)));
    }
    const quotas = await readOwnQuotas(table, catalog, caller.userId, hpc?.name);
    return ok(quotas.map(presentQuota));
  },
);
