/** A mistake in the operator's settings. Shown without a stack trace. */
export class ContextError extends Error {
  override name = 'ContextError';
}

export function invalidContext(problem: string): ContextError {
  return new ContextError(`The context (-c) is not valid. ${problem}.`);
}
