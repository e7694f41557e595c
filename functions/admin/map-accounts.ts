import { catalog } from '#lib/catalog/catalog.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { accountRow, accountsQuery } from '#lib/http/parsers/bodies/logins.ts';
import { refuseRepeated, rowsBody } from '#lib/http/parsers/bodies/rows-body.ts';
import { answerRows } from '#lib/http/presenters/answer-rows.ts';
import { presentMapped } from '#lib/http/presenters/present-administration.ts';
import { ok } from '#lib/http/respond.ts';
import { estimateMapping, mapLogin } from '#lib/users/logins/map-login.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

export const handler = apiHandler(endpoints, 'map-accounts', {
  map: answer(
    { query: accountsQuery, body: () => rowsBody(accountRow(catalog)) },
    async ({ caller, query, body, time }) => {
      const { dryRun, reason } = query;
      const rows = refuseRepeated(body, ({ user, system }) => `${user} ${system.name}`);
      const decide = dryRun ? estimateMapping : mapLogin;
      const answers = await answerRows(rows, time, async (row) =>
        presentMapped(await decide(table, { ...row, reason, by: caller.userId })),
      );
      return ok(answers);
    },
  ),
});
