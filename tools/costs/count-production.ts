import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { synthesizeVariant } from '#tools/stacks/synthesize-variant.ts';
import { production } from '#tools/stacks/variants.ts';
import { countParts, type Parts } from './count-parts.ts';

/** What `prod` is made of, with the catalog that ships. */
export function countProduction(): Parts {
  return countParts(synthesizeVariant(production), readCatalog());
}
