import * as v from 'valibot';

/** An item that is not of the shape its reader knows. It names attributes, never their values. */
export class DamagedItemError extends Error {
  override readonly name = 'DamagedItemError';
  constructor(attributes: readonly (string | null)[]) {
    super(`A stored item does not have the expected shape: ${attributes.join(', ')}`);
  }
}

export function parseItem<S extends v.GenericSchema>(schema: S, stored: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, stored);
  if (!result.success) {
    throw new DamagedItemError(result.issues.map((issue) => v.getDotPath(issue)));
  }
  return result.output;
}
