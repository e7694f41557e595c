import { catalog } from '#lib/catalog/catalog.ts';
import { PagingEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { projectHandler } from '#lib/http/chain/project-handler.ts';
import { createCursors, ledgerLines, quotas } from '#lib/http/parsers/cursors.ts';
import { ledgerQuery, quotaPageQuery, quotaQuery } from '#lib/http/parsers/quota-queries.ts';
import { choosePresenter } from '#lib/http/presenters/present-quota.ts';
import { ok, respond } from '#lib/http/respond.ts';
import { projectAt, projectsAt } from '#lib/http/routes/project-at.ts';
import { listQuotas } from '#lib/quotas/grants/list-quotas.ts';
import { findQuota, readQuotas } from '#lib/quotas/quota-store.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { endpoints } from '../endpoints.ts';
import { answerLedger } from '../quotas/answer-ledger.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);
const { CURSOR_SECRET: secret } = readEnvironment(PagingEnvironment);
const quotaCursors = createCursors(secret, quotas);
const ledgerCursors = createCursors(secret, ledgerLines);
const { paths } = endpoints['read-all-quotas'];

export const handler = projectHandler(endpoints, endpoints['read-all-quotas'], table, {
  ofUser: answer(paths.ofUser, { query: quotaQuery }, async ({ path, query }) => {
    const quotas = await readQuotas(table, path.user_id, path.hpc?.name);
    return ok(quotas.map(choosePresenter(query.expand)));
  }),
  one: answer(paths.one, { query: quotaQuery }, async ({ path, query }) => {
    const account = { user: path.user_id, ...projectAt(path) };
    return ok(choosePresenter(query.expand)(await findQuota(table, account)));
  }),
  ledger: answer(paths.ledger, { query: () => ledgerQuery(new Date()) }, async (request) => {
    const account = { user: request.path.user_id, ...projectAt(request.path) };
    return answerLedger(table, ledgerCursors, account, request);
  }),
  everybody: answer(paths.everybody, { query: quotaPageQuery }, async ({ path, query, linkTo }) => {
    const list = projectAt(path);
    const after = quotaCursors.verify(list, query.cursor);
    const projects = await projectsAt(table, catalog, path);
    const page = await listQuotas(table, projects, query.limit, after);
    const shown = page.quotas.map(choosePresenter(query.expand));
    return respond(200, shown, linkTo(quotaCursors.sign(list, page.next)));
  }),
});
