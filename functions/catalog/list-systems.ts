import { catalog } from '#lib/catalog/catalog.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { presentSystem } from '#lib/http/presenters/present-catalog.ts';
import { ok } from '#lib/http/respond.ts';
import { endpoints } from '../endpoints.ts';

export const handler = apiHandler(endpoints, 'list-systems', {
  list: answer({}, async () => ok(catalog.systems.map(presentSystem))),
});
