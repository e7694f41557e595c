import { catalog } from '#lib/catalog/catalog.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import { leaderHandler } from '#lib/http/chain/leader-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { InvalidRequestError } from '#lib/http/errors.ts';
import { ledgerLines, openCursors, quotas } from '#lib/http/parsers/queries/cursors.ts';
import {
  allQuotasQuery,
  ledgerQuery,
  quotaQuery,
} from '#lib/http/parsers/queries/quota-queries.ts';
import { choosePresenter } from '#lib/http/presenters/present-quota.ts';
import { ok, respond } from '#lib/http/respond.ts';
import { projectAt } from '#lib/http/routes/resolve-path.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import {
  findMembers,
  listQuotas,
  listQuotasOfUser,
  type QuotaList,
} from '#lib/quotas/grants/list-quotas.ts';
import { findQuota, readQuotas } from '#lib/quotas/quota-store.ts';
import { readNames } from '#lib/users/read-names.ts';
import { endpoints } from '../endpoints.ts';
import { answerLedger } from '../quotas/answer-ledger.ts';
import { table } from '../table.ts';

const quotaCursors = openCursors(quotas);
const ledgerCursors = openCursors(ledgerLines);

export const handler = leaderHandler(endpoints, 'read-all-quotas', table, {
  ofUser: answer({ query: quotaQuery }, async ({ path, query }) => {
    const quotas = await readQuotas(table, path.user_id, path.hpc?.name);
    return ok(quotas.map(choosePresenter(query.expand)));
  }),
  one: answer({ query: quotaQuery }, async ({ path, query }) => {
    const account = { user: path.user_id, ...projectAt(path) };
    return ok(choosePresenter(query.expand)(await findQuota(table, account)));
  }),
  ledger: answer({ query: () => ledgerQuery(new Date()) }, async (request) => {
    const account = { user: request.path.user_id, ...projectAt(request.path) };
    return answerLedger(table, ledgerCursors, account, request);
  }),
  everybody: answer(
    { query: () => allQuotasQuery(catalog) },
    async ({ query: { list, limit, cursor, expand, names, search }, linkTo }) => {
      const after = quotaCursors.verify(list, cursor);
      const projects = await findProjects(list);
      const [project] = projects;
      const page =
        search !== undefined && project
          ? { entries: await findMembers(table, project, search, limit), next: undefined }
          : list.user === undefined
            ? await listQuotas(table, projects, limit, after)
            : await listQuotasOfUser(table, projects, list.user, limit, after);
      const users = page.entries.map(({ user }) => user);
      const nameOf = names ? await readNames(table, users) : undefined;
      const present = choosePresenter(expand);
      const shown = page.entries.map((quota) => {
        const name = nameOf?.get(quota.user);
        return { ...present(quota), ...(name !== undefined && { name }) };
      });
      return respond(200, shown, linkTo(quotaCursors.sign(list, page.next)));
    },
  ),
});

/** Refuses an unknown project, because an empty list would mean that nobody has a quota there. */
async function findProjects({ hpc, project }: QuotaList): Promise<readonly Project[]> {
  const systems = catalog.systems.filter(({ name }) => hpc === undefined || name === hpc);
  const projects = await listProjects(table, systems);
  if (project === undefined) return projects;
  const named = projects.filter(({ name }) => name === project);
  if (named.length > 0) return named;
  const message = `Unknown project '${project}'. GET /projects/ lists all projects.`;
  throw new InvalidRequestError([{ location: 'query', name: 'project', message }]);
}
