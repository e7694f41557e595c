import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { reasonAnywhere } from '#lib/http/parsers/bodies/reason-body.ts';
import { presentQuotaWithUsage } from '#lib/http/presenters/quotas/present-usage.ts';
import { projectHandler } from '#lib/http/projects/project-handler.ts';
import { ok } from '#lib/http/respond.ts';
import { removeQuota } from '#lib/quotas/grants/remove-quota.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { endpoints } from '../endpoints.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);
const endpoint = endpoints['remove-quota'];

export const handler = projectHandler(endpoints, endpoint, table, {
  remove: answer(endpoint.paths.remove, reasonAnywhere, async ({ caller, path, body }) => {
    const { user_id: user, project_name: project } = path;
    const order = { user, project, by: caller.userId, reason: body.reason };
    return ok(presentQuotaWithUsage(await removeQuota(table, order)));
  }),
});
