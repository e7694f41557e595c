import { catalog } from '#lib/catalog/catalog.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { presentSystem } from '#lib/http/presenters/present-catalog.ts';
import { ok } from '#lib/http/respond.ts';
import { readWindows } from '#lib/systems/read-maintenance.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

export const handler = apiHandler(endpoints, 'list-systems', {
  list: answer({}, async () => {
    const names = catalog.systems.map(({ name }) => name);
    const windows = await readWindows(table, names);
    return ok(catalog.systems.map((system) => presentSystem(system, windows.get(system.name))));
  }),
});
