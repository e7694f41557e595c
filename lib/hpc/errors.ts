import { DomainError, Refusal, refusal, refusalSaying } from '#lib/errors/domain-error.ts';

interface SystemErrorOptions extends ErrorOptions {
  /**
   * The system's own words, for the owner of a job. The message is only for the log, because it may
   * name hosts and ports.
   */
  readonly said?: string | undefined;
}

/** The system gave no usable answer. The call may have taken effect: check before retrying. */
export class SystemUnavailableError extends Refusal {
  readonly said: string | undefined;
  constructor(message: string, { said, ...options }: SystemErrorOptions = {}) {
    const told = 'The HPC system cannot be reached right now. Nothing is lost. Try again later.';
    super('system-unavailable', { message, told, ...options });
    this.said = said;
  }
}

/** The answer is too long to be read. The call may have taken effect. */
export class AnswerTooLargeError extends SystemUnavailableError {
  override readonly name = 'AnswerTooLargeError';
}

/** A transfer made progress, but not fast enough. */
export class TransferTooSlowError extends SystemUnavailableError {
  override readonly name = 'TransferTooSlowError';
}

/** The system refuses for now, because of a limit or maintenance. Nothing was done. */
export class SystemBusyError extends Refusal {
  override readonly retryAfterSeconds: number;
  readonly said: string | undefined;
  constructor(
    message: string,
    retryAfterSeconds = 60,
    { said, ...options }: SystemErrorOptions = {},
  ) {
    const told = 'The HPC system accepts no more requests right now. Try again later.';
    super('system-busy', { message, told, ...options });
    this.retryAfterSeconds = retryAfterSeconds;
    this.said = said;
  }
}

/** The system refuses the job for good. The message is for the owner of the job. */
export class JobRefusedError extends DomainError {
  override readonly name = 'JobRefusedError';
}

/**
 * The system refuses the service's credentials, which may have been rotated. Callers cannot do
 * anything about it, so they are told that the system is down.
 */
export class CredentialsRefusedError extends /* @__PURE__ */ refusalSaying(
  'system-unavailable',
  (message: string, options?: ErrorOptions) => ({
    message,
    told: 'The HPC system does not accept this service right now. Try again later.',
    retryAfterSeconds: 60,
    ...options,
  }),
) {
  override readonly name = 'CredentialsRefusedError';
}

/** The system does not have the file yet, or no longer has it. */
export class RemoteFileNotFoundError extends /* @__PURE__ */ refusal(
  'file-not-found',
  "File not found. List the job's files to see their names.",
) {
  override readonly name = 'RemoteFileNotFoundError';
}
