import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { reasonAnywhere } from '#lib/http/parsers/bodies/json-body.ts';
import { presentProject } from '#lib/http/presenters/present-catalog.ts';
import { ok } from '#lib/http/respond.ts';
import { closeProject } from '#lib/projects/open-project.ts';
import { endpoints } from '../../endpoints.ts';
import { table } from '../../table.ts';

export const handler = apiHandler(endpoints, 'close-project', {
  close: answer(reasonAnywhere, async ({ caller, path, body }) => {
    const { hpc: system, any_project_name: name } = path;
    const order = { system, name, by: caller.userId, reason: body.reason };
    return ok(presentProject(system, await closeProject(table, order)));
  }),
});
