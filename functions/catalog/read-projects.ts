import * as v from 'valibot';
import { readBudgetLedger, readLedProject } from '#lib/budgets/budget.ts';
import { NotLeaderError } from '#lib/budgets/errors.ts';
import { joinsByGroup } from '#lib/budgets/joins-by-group.ts';
import { isLeader, listLedProjects } from '#lib/budgets/led-projects.ts';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import { budgetHolder } from '#lib/catalog/identifiers.ts';
import type { Caller } from '#lib/http/chain/api-context.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { currentProjectHandler } from '#lib/http/chain/project-handler.ts';
import { acceptHeader } from '#lib/http/parsers/accept.ts';
import { flag } from '#lib/http/parsers/fields.ts';
import { ledgerLines, openCursors } from '#lib/http/parsers/queries/cursors.ts';
import { ledgerQuery } from '#lib/http/parsers/queries/quota-queries.ts';
import { statementQuery } from '#lib/http/parsers/queries/statement-query.ts';
import { presentLedProject } from '#lib/http/presenters/present-budget.ts';
import { presentProject } from '#lib/http/presenters/present-catalog.ts';
import { presentStatement, writeStatement } from '#lib/http/presenters/present-statement.ts';
import { ok, okCsv } from '#lib/http/respond.ts';
import { projectAt } from '#lib/http/routes/resolve-path.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import { accountOf, budgetOf } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { readStatement } from '#lib/statements/read-statement.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import { readNames } from '#lib/users/read-names.ts';
import { endpoints } from '../endpoints.ts';
import { answerLedger } from '../quotas/answer-ledger.ts';
import { table } from '../table.ts';

const cursors = openCursors(ledgerLines);

export const handler = currentProjectHandler(endpoints, 'read-projects', table, {
  list: answer({ query: v.object({ led: flag }) }, async ({ caller, path, query }) => {
    const projects = await listProjects(table, path.hpc ? [path.hpc] : catalog.systems);
    const shown = query.led ? await selectLed(projects, caller) : projects;
    return ok(shown.map((each) => presentProject(findSystem(catalog, each.hpc), each)));
  }),
  one: answer({}, async ({ path }) => ok(presentProject(path.hpc, path.project_name))),
  budget: answer({ query: v.object({ names: flag }) }, async ({ caller, path, query }) => {
    const leads = await isLed(caller, projectAt(path));
    if (!leads && !(await drawsFrom(path.project_name, caller))) {
      throw new NotLeaderError(projectAt(path));
    }
    const led = await readLedProject(table, path.project_name);
    const names = query.names && leads ? await readNames(table, led.leaders) : undefined;
    return ok(presentLedProject(led, names));
  }),
  ledger: answer({ query: () => ledgerQuery(new Date()) }, async ({ caller, path, ...request }) => {
    const project = projectAt(path);
    await requireLeader(caller, project);
    const read = () => answerLedger(table, cursors, budgetOf(project), request);
    return readBudgetLedger(project, read);
  }),
  statement: answer(
    { headers: acceptHeader, query: () => statementQuery(new Date()) },
    async ({ caller, path, headers, query: { month, names: wanted } }) => {
      const project = projectAt(path);
      await requireLeader(caller, project);
      const statement = await readStatement(table, path.project_name, month);
      const users = statement.rows.map(({ user }) => user).filter((user) => user !== budgetHolder);
      const names = wanted ? await readNames(table, users) : undefined;
      return headers.form === 'csv'
        ? okCsv(
            `statement-${project.hpc}-${project.project}-${month}.csv`,
            writeStatement(statement, names),
            {},
          )
        : ok(presentStatement(statement, names));
    },
  ),
});

async function selectLed(projects: readonly Project[], { userId }: Caller): Promise<Project[]> {
  const led = await listLedProjects(table, userId);
  return projects.filter(({ hpc, name }) =>
    led.some((each) => each.hpc === hpc && each.project === name),
  );
}

async function requireLeader(caller: Caller, project: ProjectKey): Promise<void> {
  if (!(await isLed(caller, project))) throw new NotLeaderError(project);
}

async function isLed({ administrator, userId: user }: Caller, project: ProjectKey) {
  return administrator || isLeader(table, { user, ...project });
}

/** Members who draw from a budget see what is left of it. */
async function drawsFrom(
  project: Project,
  { userId: user, groups = [] }: Caller,
): Promise<boolean> {
  if (!project.shared) return false;
  const quota = await readQuota(table, accountOf({ user, project }));
  return quota !== undefined && (!quota.throughGroup || joinsByGroup({ project, groups }));
}
