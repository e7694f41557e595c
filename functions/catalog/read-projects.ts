import { catalog } from '#lib/catalog/catalog.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { refuseQuery } from '#lib/http/parsers/read-query.ts';
import { presentProject } from '#lib/http/presenters/present-catalog.ts';
import { ok } from '#lib/http/respond.ts';
import { routes } from '../routes.ts';

export const handler = apiHandler(routes, routes['read-projects'], async ({ path, event }) => {
  refuseQuery(event);
  const { hpc, project_name: project } = path;
  if (hpc && project) return ok(presentProject(hpc, project));
  const systems = hpc ? [hpc] : catalog.systems;
  return ok(
    systems.flatMap((system) => system.projects.map((each) => presentProject(system, each))),
  );
});
