import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { projectBody } from '#lib/http/parsers/project-body.ts';
import { presentProject, projectLocation } from '#lib/http/presenters/present-catalog.ts';
import { created, ok } from '#lib/http/respond.ts';
import { openProject } from '#lib/projects/open-project.ts';
import { endpoints } from '../../endpoints.ts';
import { table } from '../../table.ts';

export const handler = apiHandler(endpoints, 'open-project', {
  open: answer({ body: projectBody }, async ({ caller, path, body }) => {
    const { hpc: system, any_project_name: name } = path;
    const opening = await openProject(table, { system, name, by: caller.userId, ...body });
    const shown = presentProject(system, opening.project);
    return opening.created ? created(shown, projectLocation(opening.project)) : ok(shown);
  }),
});
