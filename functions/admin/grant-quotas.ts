import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { completeGrants, grantsRequest } from '#lib/http/parsers/bodies/grants.ts';
import { answerRows } from '#lib/http/presenters/answer-rows.ts';
import { presentGrantedRow } from '#lib/http/presenters/present-quota.ts';
import { ok } from '#lib/http/respond.ts';
import { findProjectsByNumber } from '#lib/projects/find-project.ts';
import { estimateRow, grantRow } from '#lib/quotas/grants/grant-rows.ts';
import { accountOf } from '#lib/quotas/quota.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const findProject = findProjectsByNumber(table);

export const handler = apiHandler(endpoints, 'grant-quotas', {
  grant: answer(grantsRequest, async (request) => {
    const { caller, headers, query, body, time } = request;
    const { key } = headers;
    const by = caller.userId;
    const decide = query.dryRun ? estimateRow : grantRow;
    const rows = completeGrants(body, { key, ...query });
    const answers = await answerRows(rows, time, async (fields, line) => {
      const project = await findProject(findSystem(catalog, fields.hpc), fields.project);
      const name = key === undefined ? undefined : { sender: by, line, key };
      const row = { ...fields, project, by, name };
      return presentGrantedRow(accountOf(row), await decide(table, catalog, row));
    });
    return ok(answers);
  }),
});
