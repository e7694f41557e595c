import { DomainError } from '#lib/errors/domain-error.ts';

/** Says what is wrong with one part of a request, in words that its sender can act on. */
export interface FieldProblem {
  readonly location: 'path' | 'payload' | 'header' | 'query' | 'body';
  readonly name: string;
  readonly message: string;
}

/** Nobody fixes more at once, and a body of 16 KB can have thousands. */
const mostProblems = 20;

export class InvalidRequestError extends DomainError {
  override readonly name = 'InvalidRequestError';
  readonly problems: readonly FieldProblem[];
  constructor(problems: readonly FieldProblem[]) {
    const [first] = problems;
    super(
      first && problems.length === 1
        ? `${first.name}: ${first.message}`
        : `${problems.length} parts of the request are not valid. See 'errors' for each.`,
    );
    this.problems = shorten(problems);
  }
}

function shorten(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  const [next, ...others] = problems.slice(mostProblems);
  if (!next || others.length === 0) return problems;
  const message = `${others.length + 1} more parts are not valid. Fix the others first.`;
  return [...problems.slice(0, mostProblems), { ...next, name: 'more', message }];
}

export class PathNotFoundError extends DomainError {
  override readonly name = 'PathNotFoundError';
  constructor() {
    super('Unknown path. GET /docs/ lists all paths.');
  }
}

export class MethodNotAllowedError extends DomainError {
  override readonly name = 'MethodNotAllowedError';
  readonly allowed: readonly string[];
  constructor(method: string, allowed: readonly string[]) {
    super(`${method} is not allowed at this path. Allowed: ${allowed.join(', ')}.`);
    this.allowed = allowed;
  }
}

/** Never tells the caller which check failed. The cause, which is logged, does. */
export class InvalidTokenError extends DomainError {
  override readonly name = 'InvalidTokenError';
  constructor(options?: ErrorOptions) {
    super('A valid access token is required: Authorization: Bearer <ACCESS_TOKEN>.', options);
  }
}

export class IdentityProviderUnavailableError extends DomainError {
  override readonly name = 'IdentityProviderUnavailableError';
  constructor(options?: ErrorOptions) {
    super(
      'The identity provider cannot be reached, so tokens cannot be checked. Try again later.',
      options,
    );
  }
}

export class NotAdministratorError extends DomainError {
  override readonly name = 'NotAdministratorError';
  constructor() {
    super('Only administrators may use this path. Ask an administrator for help.');
  }
}

export class TooManyCallsError extends DomainError {
  override readonly name = 'TooManyCallsError';
  readonly limit: number;
  readonly waitSeconds: number;
  constructor({ rate, burst }: { readonly rate: number; readonly burst: number }, waitMs: number) {
    const waitSeconds = Math.max(1, Math.ceil(waitMs / 1000));
    super(
      `Rate limit reached; nothing was changed. Retry in ${waitSeconds} s. After ${burst} calls at ` +
        `once, ${rate} a second are allowed. Webhooks report changes without calling.`,
    );
    this.limit = rate;
    this.waitSeconds = waitSeconds;
  }
}

export class BodyTooLargeError extends DomainError {
  override readonly name = 'BodyTooLargeError';
  constructor(bytes: number, limit: number, advice = 'Use POST /uploads/ to send a larger file.') {
    super(`The body has ${bytes} bytes, but at most ${limit} are allowed. ${advice}`);
  }
}

export class UnsupportedBodyError extends DomainError {
  override readonly name = 'UnsupportedBodyError';
  constructor(
    contentType: string,
    advice = "Send the bytes of the zip as they are, with 'Content-Type: application/zip'.",
  ) {
    super(`The content type '${contentType}' is not supported here. ${advice}`);
  }
}

export class TimeoutError extends DomainError {
  override readonly name = 'TimeoutError';
  constructor() {
    super(
      'The request timed out but may have taken effect. Check before retrying. A submission with ' +
        'an Idempotency-Key can simply be sent again.',
    );
  }
}
