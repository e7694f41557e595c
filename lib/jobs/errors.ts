import { DomainError } from '#lib/errors/domain-error.ts';

/** The answer to the write got lost: the job may have been made. */
export class SubmissionUncertainError extends DomainError {
  override readonly name = 'SubmissionUncertainError';
  constructor(hasKey: boolean, options?: ErrorOptions) {
    super(
      'The job may have been accepted: the service lost contact with its data while it was stored. ' +
        (hasKey
          ? 'Send the same request with the same Idempotency-Key again: it makes no second job.'
          : 'Look for it among your jobs before you submit it again. With an Idempotency-Key, the ' +
            'same request can be sent again and makes no second job.'),
      options,
    );
  }
}

/** Not there, or somebody else's: the caller must not learn which. */
export class JobNotFoundError extends DomainError {
  override readonly name = 'JobNotFoundError';
  constructor() {
    super(
      'There is no such job here. The list of jobs with ?job_id=... looks for it in all systems and projects.',
    );
  }
}

/** What a job packed at its end is more than its system's results may have. */
export class ResultsTooLargeError extends DomainError {
  override readonly name = 'ResultsTooLargeError';
  readonly limit: number;
  constructor(bytes: number, limit: number) {
    super(
      `The results have ${bytes} bytes, but at most ${limit} are taken. ` +
        'Let the job remove what is not needed before it ends.',
    );
    this.limit = limit;
  }
}

export class IdempotencyKeyInUseError extends DomainError {
  override readonly name = 'IdempotencyKeyInUseError';
  constructor(options?: ErrorOptions) {
    super(
      'The first request with this Idempotency-Key is still running. Try again in a moment.',
      options,
    );
  }
}
