import * as v from 'valibot';
import { bringUp, explainNewer, upSteps } from './versions.ts';

/** An item that is not of the shape its reader knows. It names attributes, never their values. */
export class DamagedItemError extends Error {
  override readonly name = 'DamagedItemError';
  constructor(attributes: readonly (string | null)[]) {
    super(`A stored item does not have the expected shape: ${attributes.join(', ')}`);
  }
}

/** An item as its reader knows it, whichever version of it was stored. */
export function parseItem<S extends v.GenericSchema>(
  schema: S,
  stored: unknown,
  steps = upSteps,
): v.InferOutput<S> {
  const result = v.safeParse(schema, bringUp(stored, steps));
  if (result.success) return result.output;
  const newer = explainNewer(stored, steps);
  throw new DamagedItemError(
    newer === undefined ? result.issues.map((issue) => v.getDotPath(issue)) : [newer],
  );
}
