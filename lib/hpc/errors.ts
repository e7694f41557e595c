import { DomainError } from '#lib/errors/domain-error.ts';

interface SystemErrorOptions extends ErrorOptions {
  /**
   * What the system itself says, in sentences for the owner of a job. The message is for the log: it
   * may name hosts and ports.
   */
  readonly said?: string | undefined;
}

/** No answer, or one that leaves open whether the call had its effect: look before trying again. */
export class SystemUnavailableError extends DomainError {
  override readonly name: string = 'SystemUnavailableError';
  readonly said: string | undefined;
  constructor(message: string, { said, ...options }: SystemErrorOptions = {}) {
    super(message, options);
    this.said = said;
  }
}

/** The call may have had its effect; its answer is too long to be read. */
export class AnswerTooLargeError extends SystemUnavailableError {
  override readonly name = 'AnswerTooLargeError';
}

/** The bytes moved, but not all of them in the time that one transfer may take. */
export class TransferTooSlowError extends SystemUnavailableError {
  override readonly name = 'TransferTooSlowError';
}

/** Reached, and not now: a limit, maintenance. Nothing was done. */
export class SystemBusyError extends DomainError {
  override readonly name = 'SystemBusyError';
  readonly retryAfterSeconds: number;
  readonly said: string | undefined;
  constructor(
    message: string,
    retryAfterSeconds = 60,
    { said, ...options }: SystemErrorOptions = {},
  ) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
    this.said = said;
  }
}

/** Reached, and never: the job itself is at fault. The message is for its owner to read. */
export class JobRefusedError extends DomainError {
  override readonly name = 'JobRefusedError';
}

/** The system does not take our credentials: they may have been rotated. */
export class CredentialsRefusedError extends DomainError {
  override readonly name = 'CredentialsRefusedError';
}

/** A file that the system does not have (yet, or any more). */
export class RemoteFileNotFoundError extends DomainError {
  override readonly name = 'RemoteFileNotFoundError';
  constructor() {
    super('There is no such file. The list of the files of the job shows those that there are.');
  }
}
