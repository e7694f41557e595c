import { banUser } from '#lib/bans/ban-user.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { parseReasonBody } from '#lib/http/parsers/parse-reason.ts';
import { presentUser } from '#lib/http/presenters/present-user.ts';
import { ok } from '#lib/http/respond.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);

export const handler = apiHandler(routes, routes['ban-user'], async ({ caller, path, event }) => {
  const reason = parseReasonBody(event);
  const { user_id: user, hpc, project_name: project } = path;
  const from = hpc && project && { hpc: hpc.name, project: project.name };
  const profile = await banUser(table, catalog, { user, from, reason, by: caller.userId });
  return ok(presentUser(profile));
});
