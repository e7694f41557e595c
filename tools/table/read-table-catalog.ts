import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { CatalogEnvironment, readEnvironment } from '#lib/config.ts';
import { EngineEnvironment, findEdition } from './choose-table.ts';

const ToolEnvironment = v.object({ ...CatalogEnvironment.entries, ...EngineEnvironment.entries });

/**
 * The catalog of the table that a tool works on: the one that CATALOG names; without it, of the
 * running laptop edition the one that it serves. With another one, what is stored would not be seen.
 */
export async function readTableCatalog(named: string | undefined): Promise<Catalog> {
  const { CATALOG, AWS_ENDPOINT_URL_DYNAMODB: endpoint } = readEnvironment(ToolEnvironment);
  if (CATALOG !== undefined || named !== undefined || endpoint !== undefined) {
    return readCatalog(CATALOG);
  }
  return readCatalog((await findEdition())?.catalog);
}
