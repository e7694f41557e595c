import { catalog } from '#lib/catalog/catalog.ts';
import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { readSystemReports } from '#lib/hpc/breaker/system-health.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { presentSystemReports } from '#lib/http/presenters/present-catalog.ts';
import { ok } from '#lib/http/respond.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { endpoints } from '../endpoints.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);
const endpoint = endpoints['read-systems'];

export const handler = apiHandler(endpoints, endpoint, {
  list: answer(endpoint.paths.list, {}, async () => {
    const names = catalog.systems.map(({ name }) => name);
    return ok(presentSystemReports(catalog.systems, await readSystemReports(table, names)));
  }),
});
