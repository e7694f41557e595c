import type { Catalog } from '#lib/catalog/catalog.ts';
import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { CatalogEnvironment, readEnvironment } from '#lib/config.ts';

/** Reads the catalog named by CATALOG, or the one that ships. For tools that need no table. */
export function readOperatorCatalog(): Catalog {
  return readCatalog(readEnvironment(CatalogEnvironment).CATALOG);
}
