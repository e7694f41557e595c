import { catalog } from '#lib/catalog/catalog.ts';
import { readSystemReports } from '#lib/hpc/breaker/system-health.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { presentSystemReports } from '#lib/http/presenters/present-catalog.ts';
import { ok } from '#lib/http/respond.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

export const handler = apiHandler(endpoints, 'read-systems', {
  list: answer({}, async () => {
    const names = catalog.systems.map(({ name }) => name);
    return ok(presentSystemReports(catalog.systems, await readSystemReports(table, names)));
  }),
});
