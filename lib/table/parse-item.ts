import * as v from 'valibot';
import { bringUp, explainNewer, upSteps } from './versions.ts';

/**
 * An item does not have the shape that its reader expects. Names attributes, never their values.
 */
export class DamagedItemError extends Error {
  override readonly name = 'DamagedItemError';
  constructor(attributes: readonly (string | null)[]) {
    super(`A stored item does not have the expected shape: ${attributes.join(', ')}`);
  }
}

/** Parses an item of any stored version into the newest one. */
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
