/** No answer, or one that leaves open whether the call had its effect: look before trying again. */
export class SystemUnavailableError extends Error {
  override name = 'SystemUnavailableError';
}

/** Reached, and not now: a limit, maintenance. Nothing was done. */
export class SystemBusyError extends Error {
  override name = 'SystemBusyError';
  readonly retryAfterSeconds: number;
  constructor(message: string, retryAfterSeconds = 60, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Reached, and never: the job itself is at fault. The message is for its owner to read. */
export class JobRefusedError extends Error {
  override name = 'JobRefusedError';
}

/** The system does not take our credentials: they may have been rotated. */
export class CredentialsRefusedError extends Error {
  override name = 'CredentialsRefusedError';
}

/** A file that the system does not have (yet, or any more). */
export class RemoteFileNotFoundError extends Error {
  override name = 'RemoteFileNotFoundError';
  constructor() {
    super('There is no such file.');
  }
}
