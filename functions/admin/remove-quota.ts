import { removeAccount } from '#lib/accounts/remove-account.ts';
import { FilesEnvironment, readEnvironment } from '#lib/config.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { projectHandler } from '#lib/http/chain/project-handler.ts';
import { removal } from '#lib/http/parsers/json-body.ts';
import { presentQuotaWithUsage } from '#lib/http/presenters/present-quota.ts';
import { ok } from '#lib/http/respond.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const files = openJobFiles(readEnvironment(FilesEnvironment));

export const handler = projectHandler(endpoints, 'remove-quota', table, {
  remove: answer(removal, async ({ caller, path, query, body, time }) => {
    const { user_id: user, project_name: project } = path;
    const order = { user, project, by: caller.userId, reason: body.reason, ...query };
    return ok(presentQuotaWithUsage(await removeAccount({ table, files, time }, order)));
  }),
});
