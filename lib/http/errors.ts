import { Refusal, refusal, refusalSaying } from '#lib/errors/domain-error.ts';

/** Says what is wrong with one part of a request, in words that its sender can act on. */
export interface FieldProblem {
  readonly location: 'path' | 'payload' | 'header' | 'query' | 'body';
  readonly name: string;
  readonly message: string;
}

/** Nobody fixes more at once, and a body of 16 KB can have thousands. */
const mostProblems = 20;

export class InvalidRequestError extends Refusal {
  readonly problems: readonly FieldProblem[];
  constructor(problems: readonly FieldProblem[]) {
    const [first] = problems;
    super(
      'invalid-request',
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

export class PathNotFoundError extends /* @__PURE__ */ refusal(
  'path-not-found',
  'Unknown path. GET /docs/ lists all paths.',
) {}

export class MethodNotAllowedError extends Refusal {
  readonly allowed: string;
  constructor(method: string, methods: readonly string[]) {
    const allowed = methods.join(', ');
    super('method-not-allowed', `${method} is not allowed at this path. Allowed: ${allowed}.`);
    this.allowed = allowed;
  }
}

/** Never tells the caller which check failed. The cause, which is logged, does. */
export class InvalidTokenError extends /* @__PURE__ */ refusal(
  'invalid-token',
  'A valid access token is required: Authorization: Bearer <ACCESS_TOKEN>.',
) {}

export class IdentityProviderUnavailableError extends /* @__PURE__ */ refusal(
  'identity-unavailable',
  'The identity provider cannot be reached, so tokens cannot be checked. Try again later.',
) {
  override readonly name = 'IdentityProviderUnavailableError';
}

export class NotAdministratorError extends /* @__PURE__ */ refusal(
  'not-administrator',
  'Only administrators may use this path. Ask an administrator for help.',
) {}

export class TooManyCallsError extends /* @__PURE__ */ refusalSaying(
  'too-many-calls',
  ({ rate, burst }: { readonly rate: number; readonly burst: number }, waitMs: number) => {
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
    return {
      message:
        `Rate limit reached; nothing was changed. Retry in ${retryAfterSeconds} s. After ${burst} calls at ` +
        `once, ${rate} a second are allowed. Webhooks report changes without calling.`,
      facts: { limit: rate },
      retryAfterSeconds,
    };
  },
) {}

export class BodyTooLargeError extends /* @__PURE__ */ refusalSaying(
  'body-too-large',
  (bytes: number, limit: number, advice: string = 'Use POST /uploads/ to send a larger file.') =>
    `The body has ${bytes} bytes, but at most ${limit} are allowed. ${advice}`,
) {}

const sendZip = "Send the bytes of the zip as they are, with 'Content-Type: application/zip'.";

export class UnsupportedBodyError extends /* @__PURE__ */ refusalSaying(
  'unsupported-body',
  (given: string, advice: string = sendZip, what: 'type' | 'encoding' = 'type') =>
    `The content ${what} '${given}' is not supported here. ${advice}`,
) {}

export class TimeoutError extends /* @__PURE__ */ refusal(
  'timeout',
  'The request timed out but may have taken effect. Check before retrying. A submission with ' +
    'an Idempotency-Key can simply be sent again.',
) {}
