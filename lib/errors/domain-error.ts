/**
 * An error that a caller can act on, unlike a bug. Classes name themselves, because minified bundles
 * lose the names of classes.
 */
export abstract class DomainError extends Error {
  abstract override readonly name: string;
}

/** What a refusal says. */
interface Words extends ErrorOptions {
  readonly message: string;
  /** Replaces the message for clients, if they must not see it. */
  readonly told?: string;
  /** What clients need not read from the message: the members of its problem. */
  readonly facts?: Facts;
  /** When to try again, if the error knows better than the table in lib/http/problems.ts. */
  readonly retryAfterSeconds?: number;
  readonly wrongParts?: readonly WrongPart[];
}

export interface Facts {
  readonly project?: { readonly hpc: string; readonly project: string };
  readonly [member: string]: unknown;
}

/** A part of a request that turned out to be wrong after the request was parsed. */
export interface WrongPart {
  /** Undefined for the file of an upload. */
  readonly part?: string;
  /** The line, if the part is a file. */
  readonly line?: number | undefined;
  readonly message: string;
}

/**
 * A domain error that clients are told of. They know it by its kind, which has a row in
 * lib/http/problems.ts. It is named after its kind, or overrides `name`.
 */
export class Refusal extends DomainError {
  override readonly name: string;
  readonly kind: string;
  readonly told: string | undefined;
  readonly facts: Facts | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly wrongParts: readonly WrongPart[] | undefined;
  constructor(kind: string, said: string | Words) {
    const words: Words = typeof said === 'string' ? { message: said } : said;
    super(words.message, words);
    this.name = nameClass(kind);
    this.kind = kind;
    this.told = words.told;
    this.facts = words.facts;
    this.retryAfterSeconds = words.retryAfterSeconds;
    this.wrongParts = words.wrongParts;
  }
}

/** `project-closed` is the kind of `ProjectClosedError`. */
function nameClass(kind: string): string {
  return `${kind.replaceAll(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase())}Error`;
}

/**
 * Declares a refusal that always says the same. Mark each call as pure, so that bundles leave out the
 * refusals that a function never makes: esbuild does not see it across files.
 */
export function refusal(kind: string, message: string) {
  return class extends Refusal {
    constructor(options?: ErrorOptions) {
      super(kind, { message, ...options });
    }
  };
}

/** Declares a refusal whose words depend on what it is made of. */
export function refusalSaying<Given extends readonly unknown[]>(
  kind: string,
  say: (...given: Given) => string | Words,
  base: new (kind: string, said: string | Words) => Refusal = Refusal,
) {
  return class extends base {
    constructor(...given: Given) {
      super(kind, say(...given));
    }
  };
}

/**
 * True for errors that only wrong code can cause. Parsers of hostile data blame all other errors on
 * the data. Errors of Node itself have a code, and some of them are about bad data.
 */
export function isMistake(error: unknown): boolean {
  if (error instanceof ReferenceError) return true;
  return error instanceof TypeError && !('code' in error);
}

export class IdempotencyKeyReusedError extends /* @__PURE__ */ refusal(
  'idempotency-key-reused',
  'This Idempotency-Key was used for a different request. Use a new key for each request.',
) {}
