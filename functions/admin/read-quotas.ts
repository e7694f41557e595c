import { catalog } from '#lib/catalog/catalog.ts';
import { PagingEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { PathNotFoundError } from '#lib/http/errors.ts';
import { answerLedger } from '#lib/http/paging/ledger-page.ts';
import { createPositionSigner } from '#lib/http/paging/position-signer.ts';
import { answerQuotaPage } from '#lib/http/paging/quota-page.ts';
import { parseExpand } from '#lib/http/parsers/parse-expand.ts';
import { parseLedger } from '#lib/http/parsers/parse-ledger.ts';
import { presentQuota } from '#lib/http/presenters/present-quota.ts';
import { presentQuotaWithUsage } from '#lib/http/presenters/present-usage.ts';
import { ok } from '#lib/http/respond.ts';
import { findQuota, readQuotas } from '#lib/quotas/quota-store.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const signer = createPositionSigner(readEnvironment(PagingEnvironment).CURSOR_SECRET);

export const handler = apiHandler(routes, routes['read-all-quotas'], async ({ path, event }) => {
  const { user_id: user, hpc, project_name: project, view } = path;
  if (view !== undefined && (user === undefined || view !== 'ledger')) {
    throw new PathNotFoundError();
  }
  if (user === undefined) return answerQuotaPage(table, catalog, signer, path, event);
  const place = hpc && project && { user, hpc: hpc.name, project: project.name };
  if (place && view !== undefined) {
    return answerLedger(table, signer, parseLedger(place, event), event);
  }
  const present = parseExpand(event) ? presentQuotaWithUsage : presentQuota;
  if (place) return ok(present(await findQuota(table, place)));
  return ok((await readQuotas(table, user, hpc?.name)).map(present));
});
