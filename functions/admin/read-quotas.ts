import { catalog } from '#lib/catalog/catalog.ts';
import { PagingEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { createCursors } from '#lib/http/paging/list-cursors.ts';
import { ledgerPosition, quotaPosition } from '#lib/http/paging/positions.ts';
import { ledgerQuery } from '#lib/http/parsers/queries/ledger-query.ts';
import { quotaPageQuery, quotaQuery } from '#lib/http/parsers/queries/quota-query.ts';
import { choosePresenter } from '#lib/http/presenters/present-usage.ts';
import { ok, respond } from '#lib/http/respond.ts';
import { listQuotas } from '#lib/quotas/grants/list-quotas.ts';
import { findQuota, readQuotas } from '#lib/quotas/quota-store.ts';
import { openTable } from '#lib/table/table.ts';
import { answerLedger } from '../quotas/answer-ledger.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const { CURSOR_SECRET: secret } = readEnvironment(PagingEnvironment);
const quotaCursors = createCursors(secret, quotaPosition);
const ledgerCursors = createCursors(secret, ledgerPosition);
const { paths } = routes['read-all-quotas'];

export const handler = apiHandler(routes, routes['read-all-quotas'], {
  ofUser: answer(paths.ofUser, { query: quotaQuery }, async ({ path, query }) => {
    const quotas = await readQuotas(table, path.user_id, path.hpc?.name);
    return ok(quotas.map(choosePresenter(query.expand)));
  }),
  one: answer(paths.one, { query: quotaQuery }, async ({ path, query }) => {
    const place = { user: path.user_id, hpc: path.hpc.name, project: path.project_name.name };
    return ok(choosePresenter(query.expand)(await findQuota(table, place)));
  }),
  ledger: answer(paths.ledger, { query: () => ledgerQuery(new Date()) }, async (request) => {
    const { user_id: user, hpc, project_name: project } = request.path;
    const place = { user, hpc: hpc.name, project: project.name };
    return answerLedger(table, ledgerCursors, place, request);
  }),
  everybody: answer(paths.everybody, { query: quotaPageQuery }, async ({ path, query, linkTo }) => {
    const { hpc, project_name: project } = path;
    const marks = ['quotas', hpc?.name, project?.name];
    const systems = hpc ? [hpc] : catalog.systems;
    const projects = project ? [project] : systems.flatMap((each) => each.projects);
    const after = quotaCursors.verify(marks, query.cursor);
    const { quotas, next } = await listQuotas(table, projects, query.limit, after);
    const shown = quotas.map(choosePresenter(query.expand));
    return respond(200, shown, linkTo(quotaCursors.sign(marks, next)));
  }),
});
