import type { Catalog } from '#lib/catalog/catalog.ts';
import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { CatalogEnvironment, readEnvironment } from '#lib/config.ts';

/** The catalog that CATALOG names, or the one that ships: for tools that work on no table. */
export function readOperatorCatalog(): Catalog {
  return readCatalog(readEnvironment(CatalogEnvironment).CATALOG);
}
