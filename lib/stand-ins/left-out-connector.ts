import { LeftOutError } from './left-out.ts';

/** For the connector of each kind that the catalog of a deployment does not name. */
export function open({ kind }: { readonly kind: string }): never {
  throw new LeftOutError(`The connector to ${kind}`);
}
