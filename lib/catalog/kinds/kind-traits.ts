import type { KindTraits } from './system-kind.ts';
import { type KindName, systemKinds } from './system-kinds.ts';

/** In a bundle lib/stand-ins/kind-traits.ts takes the place of this file, without the schemas. */
export function traitsOf({
  connector,
}: {
  readonly connector: { readonly kind: KindName };
}): KindTraits {
  return systemKinds[connector.kind];
}
