/**
 * Returns the code of a failed call (ECONNREFUSED, …) without the message, which may quote an address
 * or a header with credentials. `fetch` puts the code into the cause of its error.
 */
export function causeCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return codeOf(error) ?? codeOf(error.cause);
}

function codeOf(value: unknown): string | undefined {
  const isCoded = typeof value === 'object' && value !== null && 'code' in value;
  return isCoded && typeof value.code === 'string' ? value.code : undefined;
}
