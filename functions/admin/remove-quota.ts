import { removeAccount } from '#lib/accounts/remove-account.ts';
import { leaderHandler } from '#lib/http/chain/leader-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { removal } from '#lib/http/parsers/bodies/json-body.ts';
import { presentQuotaWithUsage } from '#lib/http/presenters/present-quota.ts';
import { ok } from '#lib/http/respond.ts';
import { endpoints } from '../endpoints.ts';
import { jobFiles } from '../job-files.ts';
import { table } from '../table.ts';

export const handler = leaderHandler(endpoints, 'remove-quota', table, {
  remove: answer(removal, async ({ caller, path, query, body, time }) => {
    const { user_id: user, project_name: project } = path;
    const { userId: by, administrator } = caller;
    const order = { user, project, by, fromBudget: !administrator, ...body, ...query };
    return ok(presentQuotaWithUsage(await removeAccount({ table, files: jobFiles, time }, order)));
  }),
});
