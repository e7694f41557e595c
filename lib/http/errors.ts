import { DomainError } from '#lib/errors/domain-error.ts';

/** One wrong part of a request, in words that its sender can act on. */
export interface FieldProblem {
  readonly location: 'payload' | 'header' | 'query' | 'body';
  readonly name: string;
  readonly message: string;
}

export class InvalidRequestError extends DomainError {
  override readonly name = 'InvalidRequestError';
  readonly problems: readonly FieldProblem[];
  constructor(problems: readonly FieldProblem[]) {
    const [first] = problems;
    super(
      first && problems.length === 1
        ? `${first.name}: ${first.message}`
        : `${problems.length} parts of the request are wrong; 'errors' names each.`,
    );
    this.problems = problems;
  }
}

export class PathNotFoundError extends DomainError {
  override readonly name = 'PathNotFoundError';
  constructor() {
    super('There is nothing at this path.');
  }
}

export class MethodNotAllowedError extends DomainError {
  override readonly name = 'MethodNotAllowedError';
  readonly allowed: readonly string[];
  constructor(method: string, allowed: readonly string[]) {
    super(`${method} does not work at this path; ${allowed.join(', ')} does.`);
    this.allowed = allowed;
  }
}

/** Which check failed is for the cause and the log: the caller is never told. */
export class InvalidTokenError extends DomainError {
  override readonly name = 'InvalidTokenError';
  constructor(options?: ErrorOptions) {
    super('A valid access token is required: Authorization: Bearer <ACCESS_TOKEN>.', options);
  }
}

export class IdentityProviderUnavailableError extends DomainError {
  override readonly name = 'IdentityProviderUnavailableError';
  constructor(options?: ErrorOptions) {
    super('The identity provider cannot be reached, so no token can be checked.', options);
  }
}

export class NotAdministratorError extends DomainError {
  override readonly name = 'NotAdministratorError';
  constructor() {
    super('This path is for administrators.');
  }
}

export class BodyTooLargeError extends DomainError {
  override readonly name = 'BodyTooLargeError';
  constructor(
    bytes: number,
    limit: number,
    advice = 'Ask POST /uploads/ for an address that takes a larger file.',
  ) {
    super(`The body has ${bytes} bytes, and one request carries at most ${limit}. ${advice}`);
  }
}

export class UnsupportedBodyError extends DomainError {
  override readonly name = 'UnsupportedBodyError';
  constructor(
    contentType: string,
    advice = "Send the bytes of the zip as they are, as 'Content-Type: application/zip'.",
  ) {
    super(`A body of type '${contentType}' is not taken. ${advice}`);
  }
}

export class TimeoutError extends DomainError {
  override readonly name = 'TimeoutError';
  constructor() {
    super('The request took too long.');
  }
}
