import { catalog } from '#lib/catalog/catalog.ts';
import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { readSystemStates } from '#lib/hpc/breaker/system-health.ts';
import { publicHandler } from '#lib/http/chain/api-handler.ts';
import { presentStatus } from '#lib/http/presenters/present-status.ts';
import { ok } from '#lib/http/respond.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);

export const handler = publicHandler(routes, routes['read-status'], async () => {
  const names = catalog.systems.map(({ name }) => name);
  return ok(presentStatus(catalog.systems, await readSystemStates(table, names)));
});
