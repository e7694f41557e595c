/**
 * Something that a caller is told and can act on, and no fault of ours: lib/http/problems.ts has a
 * row for each that reaches a client. Bundles are minified, so each class says its own name.
 */
export abstract class DomainError extends Error {
  abstract override readonly name: string;
}
