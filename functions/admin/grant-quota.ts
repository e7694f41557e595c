import { catalog } from '#lib/catalog/catalog.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { projectHandler } from '#lib/http/chain/project-handler.ts';
import { quotaChangeBody } from '#lib/http/parsers/quota-change-body.ts';
import { presentQuotaWithUsage, quotaLocation } from '#lib/http/presenters/present-quota.ts';
import { created, ok } from '#lib/http/respond.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

export const handler = projectHandler(endpoints, 'grant-quota', table, {
  grant: answer({ body: () => quotaChangeBody(new Date()) }, async ({ caller, path, body }) => {
    const { user_id: user, project_name: project } = path;
    const order = { user, project, by: caller.userId, ...body };
    const granted = await grantQuota(table, catalog, order);
    const shown = presentQuotaWithUsage(granted.quota);
    return granted.created ? created(shown, quotaLocation(granted.quota)) : ok(shown);
  }),
});
