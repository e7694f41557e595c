import { readLedProject } from '#lib/budgets/budget.ts';
import { changeBudget } from '#lib/budgets/change-budget.ts';
import { setLeaders } from '#lib/budgets/leaders.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { projectHandler } from '#lib/http/chain/project-handler.ts';
import { leadersBody, projectBody } from '#lib/http/parsers/bodies/project-body.ts';
import { quotaChangeBody } from '#lib/http/parsers/bodies/quota-change-body.ts';
import { presentLedProject } from '#lib/http/presenters/present-budget.ts';
import { presentProject, projectLocation } from '#lib/http/presenters/present-catalog.ts';
import { created, ok } from '#lib/http/respond.ts';
import { projectAt } from '#lib/http/routes/resolve-path.ts';
import { openProject } from '#lib/projects/open-project.ts';
import { endpoints } from '../../endpoints.ts';
import { table } from '../../table.ts';

export const handler = projectHandler(endpoints, 'open-project', table, {
  open: answer({ body: projectBody }, async ({ caller, path, body }) => {
    const { hpc: system, any_project_name: name } = path;
    const opening = await openProject(table, { system, name, by: caller.userId, ...body });
    const shown = presentProject(system, opening.project);
    return opening.created ? created(shown, projectLocation(opening.project)) : ok(shown);
  }),
  budget: answer({ body: () => quotaChangeBody(new Date()) }, async ({ caller, path, body }) => {
    const { project_name: project } = path;
    await changeBudget(table, { project, by: caller.userId, ...body });
    return ok(presentLedProject(await readLedProject(table, project)));
  }),
  leaders: answer({ body: leadersBody }, async ({ caller, path, body }) => {
    await setLeaders(table, { ...body, project: projectAt(path), by: caller.userId });
    return ok(presentLedProject(await readLedProject(table, path.project_name)));
  }),
});
