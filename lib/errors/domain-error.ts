/**
 * Something that a caller is told and can act on, and no fault of ours: lib/http/problems.ts has a
 * row for each that reaches a client. Bundles are minified, so each class says its own name.
 */
export abstract class DomainError extends Error {
  abstract override readonly name: string;
}

/**
 * True for errors that no data can cause, only wrong code. What reads hostile data takes any other
 * error for the data's fault. Node's own errors have a code, and some of them tell of bad data.
 */
export function isMistake(error: unknown): boolean {
  if (error instanceof ReferenceError) return true;
  return error instanceof TypeError && !('code' in error);
}
