import { toJsonSchema } from '@valibot/to-json-schema';
import { CatalogSchema } from '#lib/catalog/catalog-schema.ts';

/** Builds docs/catalog.schema.json, with which editors complete and check a catalog. */
export function buildJsonSchema() {
  const { $schema, ...schema } = toJsonSchema(CatalogSchema);
  return { $schema, title: 'A catalog of Slipway: its HPC systems and projects', ...schema };
}
