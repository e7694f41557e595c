/**
 * The code of what a call failed by (ECONNREFUSED, …), and nothing else of it: a message can quote
 * an address or a header with credentials in it. `fetch` hides the code one level down.
 */
export function causeCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return codeOf(error) ?? codeOf(error.cause);
}

function codeOf(value: unknown): string | undefined {
  const isCoded = typeof value === 'object' && value !== null && 'code' in value;
  return isCoded && typeof value.code === 'string' ? value.code : undefined;
}
