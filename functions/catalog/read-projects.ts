import { catalog } from '#lib/catalog/catalog.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { presentProject } from '#lib/http/presenters/present-catalog.ts';
import { ok } from '#lib/http/respond.ts';
import { endpoints } from '../endpoints.ts';

const endpoint = endpoints['read-projects'];

export const handler = apiHandler(endpoints, endpoint, {
  list: answer(endpoint.paths.list, {}, async ({ path }) => {
    const systems = path.hpc ? [path.hpc] : catalog.systems;
    return ok(
      systems.flatMap((system) => system.projects.map((each) => presentProject(system, each))),
    );
  }),
  one: answer(endpoint.paths.one, {}, async ({ path }) =>
    ok(presentProject(path.hpc, path.project_name)),
  ),
});
