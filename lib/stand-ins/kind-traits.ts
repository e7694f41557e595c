import type { KindTraits } from '#lib/catalog/kinds/system-kind.ts';
import type { KindName } from '#lib/catalog/kinds/system-kinds.ts';

/** The bundler writes the kinds of the catalog's systems here, beside the systems. */
declare const BUILT_IN_CATALOG: { readonly kinds: Readonly<Record<KindName, KindTraits>> };

/** For #lib/catalog/kinds/kind-traits.ts: a bundle needs no schemas, as its catalog has been read. */
export function traitsOf({
  connector,
}: {
  readonly connector: { readonly kind: KindName };
}): KindTraits {
  return BUILT_IN_CATALOG.kinds[connector.kind];
}
