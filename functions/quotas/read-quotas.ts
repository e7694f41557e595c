import { catalog } from '#lib/catalog/catalog.ts';
import { PagingEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { PathNotFoundError } from '#lib/http/errors.ts';
import { answerLedger } from '#lib/http/paging/ledger-page.ts';
import { createPositionSigner } from '#lib/http/paging/position-signer.ts';
import { parseExpand } from '#lib/http/parsers/parse-expand.ts';
import { parseLedger } from '#lib/http/parsers/parse-ledger.ts';
import { presentQuota } from '#lib/http/presenters/present-quota.ts';
import { presentQuotaWithUsage } from '#lib/http/presenters/present-usage.ts';
import { ok } from '#lib/http/respond.ts';
import { readOwnQuota, readOwnQuotas } from '#lib/quotas/welcome/read-own-quotas.ts';
import { welcomeAndRead } from '#lib/quotas/welcome/welcome-and-read.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const signer = createPositionSigner(readEnvironment(PagingEnvironment).CURSOR_SECRET);

export const handler = apiHandler(
  routes,
  routes['read-quotas'],
  async ({ caller: { userId: user }, path, event }) => {
    const { hpc, project_name: project, view } = path;
    if (hpc && project && view !== undefined) {
      if (view !== 'ledger') throw new PathNotFoundError();
      const request = parseLedger({ user, hpc: hpc.name, project: project.name }, event);
      const read = () => answerLedger(table, signer, request, event);
      return welcomeAndRead(table, catalog, user, read);
    }
    const present = parseExpand(event) ? presentQuotaWithUsage : presentQuota;
    if (hpc && project) {
      const place = { user, hpc: hpc.name, project: project.name };
      return ok(present(await readOwnQuota(table, catalog, place)));
    }
    const quotas = await readOwnQuotas(table, catalog, user, hpc?.name);
    return ok(quotas.map(present));
  },
);
