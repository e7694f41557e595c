import { catalog } from '#lib/catalog/catalog.ts';
import { PagingEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { createCursors } from '#lib/http/paging/list-cursors.ts';
import { ledgerPosition } from '#lib/http/paging/positions.ts';
import { ledgerQuery } from '#lib/http/parsers/queries/ledger-query.ts';
import { quotaQuery } from '#lib/http/parsers/queries/quota-query.ts';
import { choosePresenter } from '#lib/http/presenters/present-usage.ts';
import { ok } from '#lib/http/respond.ts';
import { welcomeAndRead } from '#lib/quotas/statement/read-ledger.ts';
import { readOwnQuota, readOwnQuotas } from '#lib/quotas/welcome/read-own-quotas.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';
import { answerLedger } from './answer-ledger.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const cursors = createCursors(readEnvironment(PagingEnvironment).CURSOR_SECRET, ledgerPosition);
const { paths } = routes['read-quotas'];

export const handler = apiHandler(routes, routes['read-quotas'], {
  list: answer(paths.list, { query: quotaQuery }, async ({ caller, path, query }) => {
    const quotas = await readOwnQuotas(table, catalog, caller.userId, path.hpc?.name);
    return ok(quotas.map(choosePresenter(query.expand)));
  }),
  one: answer(paths.one, { query: quotaQuery }, async ({ caller, path, query }) => {
    const { hpc, project_name: project } = path;
    const place = { user: caller.userId, hpc: hpc.name, project: project.name };
    return ok(choosePresenter(query.expand)(await readOwnQuota(table, catalog, place)));
  }),
  ledger: answer(
    paths.ledger,
    { query: () => ledgerQuery(new Date()) },
    async ({ caller: { userId: user }, path, ...request }) => {
      const place = { user, hpc: path.hpc.name, project: path.project_name.name };
      const read = () => answerLedger(table, cursors, place, request);
      return welcomeAndRead(table, catalog, user, read);
    },
  ),
});
