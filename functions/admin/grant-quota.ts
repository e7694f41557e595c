import { catalog } from '#lib/catalog/catalog.ts';
import { leaderHandler } from '#lib/http/chain/leader-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { InvalidRequestError } from '#lib/http/errors.ts';
import { quotaChangeBody } from '#lib/http/parsers/bodies/quota-change-body.ts';
import { presentQuotaWithUsage, quotaLocation } from '#lib/http/presenters/present-quota.ts';
import { created, ok } from '#lib/http/respond.ts';
import type { QuotaChange } from '#lib/quotas/grants/change-quota.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

export const handler = leaderHandler(endpoints, 'grant-quota', table, {
  grant: answer({ body: () => quotaChangeBody(new Date()) }, async ({ caller, path, body }) => {
    const { user_id: user, project_name: project } = path;
    const fromBudget = !caller.administrator;
    if (fromBudget) refuseRenewal(body.change);
    const order = { user, project, by: caller.userId, fromBudget, ...body };
    const granted = await grantQuota(table, catalog, order);
    const shown = presentQuotaWithUsage(granted.quota);
    return granted.created ? created(shown, quotaLocation(granted.quota)) : ok(shown);
  }),
});

/** A renewal would grant more than the budget has. */
function refuseRenewal({ renews }: QuotaChange): void {
  if (renews === undefined) return;
  const message = 'Only administrators say how a quota renews. Leave it out.';
  throw new InvalidRequestError([{ location: 'body', name: 'renews', message }]);
}
