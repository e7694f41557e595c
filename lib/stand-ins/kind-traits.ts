import type { KindTraits } from '#lib/catalog/kinds/system-kind.ts';
import type { KindName } from '#lib/catalog/kinds/system-kinds.ts';

/** The bundler writes the traits here, as JSON (infra/constructs/functions/bundle-options.ts). */
declare const BUILT_IN_KINDS: string;

/** Holds only the kinds that the bundle's systems are of, without their schemas. */
const kinds: Readonly<Record<KindName, KindTraits>> = JSON.parse(BUILT_IN_KINDS);

export function traitsOf({
  connector,
}: {
  readonly connector: { readonly kind: KindName };
}): KindTraits {
  return kinds[connector.kind];
}
