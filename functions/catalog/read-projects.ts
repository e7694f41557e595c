import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { currentProjectHandler } from '#lib/http/chain/project-handler.ts';
import { presentProject } from '#lib/http/presenters/present-catalog.ts';
import { ok } from '#lib/http/respond.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

export const handler = currentProjectHandler(endpoints, 'read-projects', table, {
  list: answer({}, async ({ path }) => {
    const projects = await listProjects(table, path.hpc ? [path.hpc] : catalog.systems);
    return ok(projects.map((each) => presentProject(findSystem(catalog, each.hpc), each)));
  }),
  one: answer({}, async ({ path }) => ok(presentProject(path.hpc, path.project_name))),
});
