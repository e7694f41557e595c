import { catalog } from '#lib/catalog/catalog.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { refuseQuery } from '#lib/http/parsers/read-query.ts';
import { presentSystem } from '#lib/http/presenters/present-catalog.ts';
import { ok } from '#lib/http/respond.ts';
import { routes } from '../routes.ts';

export const handler = apiHandler(routes, routes['list-systems'], async ({ event }) => {
  refuseQuery(event);
  return ok(catalog.systems.map(presentSystem));
});
