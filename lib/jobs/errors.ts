import { refusal, refusalSaying } from '#lib/errors/domain-error.ts';

/** The response to the write got lost, so the job may exist. */
export class SubmissionUncertainError extends /* @__PURE__ */ refusalSaying(
  'submission-uncertain',
  (hasKey: boolean, options?: ErrorOptions) => ({
    message:
      'The service lost contact with its database while storing the job, so the job may exist. ' +
      (hasKey
        ? 'Retry with the same Idempotency-Key; no duplicate is created.'
        : 'Check your list of jobs before you submit again. With an Idempotency-Key, a retry ' +
          'creates no duplicate.'),
    ...options,
  }),
) {}

/** Missing, or somebody else's. The caller must not learn which. */
export class JobNotFoundError extends /* @__PURE__ */ refusal(
  'job-not-found',
  'Job not found here. To search all systems and projects, list jobs with ?job_id=...',
) {}

/** A second run of a job asks for its script, for example after the answer to a hand-over was lost. */
export class JobRunsElsewhereError extends /* @__PURE__ */ refusal(
  'job-runs-elsewhere',
  'Another run of this job has begun, and a job runs only once. End this one.',
) {}

/** A job's packed results exceed the limit of its system. */
export class ResultsTooLargeError extends /* @__PURE__ */ refusalSaying(
  'results-too-large',
  (bytes: number, limit: number) => ({
    message:
      `The results have ${bytes} bytes, but at most ${limit} are accepted. ` +
      'Have the job delete the files that you do not need before it ends.',
    facts: { limit },
  }),
) {}

export class IdempotencyKeyInUseError extends /* @__PURE__ */ refusal(
  'idempotency-key-in-use',
  'The first request with this Idempotency-Key is still running. Try again in a moment.',
) {}
