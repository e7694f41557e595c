import type { JobId } from '#lib/catalog/identifiers.ts';
import { resourcesOf } from '#lib/catalog/resources.ts';
import { serviceFetches } from '#lib/catalog/service-fetches.ts';
import { requireRoomInFolder } from '#lib/files/folders/require-room.ts';
import { inputKey } from '#lib/files/object-keys.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import { requireLogin } from '#lib/users/logins/login-store.ts';
import { awaitSteps, findWaits, waitingTerms } from '../chains/await-jobs.ts';
import { AwaitedFailedError, AwaitedNotFoundError, TooManyResultsError } from '../chains/errors.ts';
import { type Job, jobFromItem, paymentOf, storedJob } from '../job.ts';
import { makeJobId } from '../job-id.ts';
import { type JobRequest, keepRequest, type StoredZip } from '../job-request.ts';
import { createJob } from '../job-store.ts';
import type { LifeTerms } from '../life/job-life.ts';
import { beginJobLife } from '../life/job-life-store.ts';
import { acceptOnce, type SubmissionContext, submitOnce } from './accept-once.ts';
import type { KeyedRequest } from './idempotency.ts';
import { placeInput } from './place-input.ts';
import { allot, fingerprintSubmission, type Submission } from './submission.ts';

export interface Acceptance {
  readonly job: Job;
  /** Whether this is the answer to an earlier request with the same Idempotency-Key. */
  readonly repeated: boolean;
}

/**
 * Accepts a job. Its zip is stored before that. Does not wait for the HPC system, because the table's
 * stream triggers the hand-over.
 */
export async function submitJob(
  context: SubmissionContext,
  submission: Submission,
  key?: string,
  at = new Date(),
): Promise<Acceptance> {
  const { table } = context;
  const { owner } = submission;
  const keyed =
    key === undefined
      ? undefined
      : { owner, key, fingerprint: fingerprintSubmission(submission), at };
  return submitOnce(
    table,
    keyed,
    refusedForWaits,
    async () => {
      const login = await requireLogin(table, submission);
      return acceptJob(context, submission, { login, keyed, at });
    },
    (answer) => ({ job: jobFromItem(answer), repeated: true }),
  );
}

const refusedForWaits = [AwaitedFailedError, AwaitedNotFoundError, TooManyResultsError];

interface Terms {
  /** The account that the job is to run as, if not the service's own. */
  readonly login: string | undefined;
  readonly keyed: KeyedRequest | undefined;
  readonly at: Date;
}

async function acceptJob(
  context: SubmissionContext,
  submission: Submission,
  { login, keyed, at }: Terms,
): Promise<Acceptance> {
  const { table, catalog, inputs } = context;
  const { owner, waits } = submission;
  await requireRoomInFolder(table, submission);
  const jobId = makeJobId(submission.system, submission.program);
  const place = { usedBy: jobId, key: inputKey(owner, jobId) };
  const circumstances = { ...place, repeatable: keyed !== undefined, at };
  const input = await placeInput(table, inputs, submission, circumstances);
  const id = await takeNumbers(table, 'job');
  const job = queueJob(submission, { id, jobId, at }, input.zip);
  const earlier = await acceptOnce(context, {
    submission,
    payment: paymentOf(job),
    hold: job.hold,
    jobs: 1,
    cost: job.cost,
    keyed,
    answer: storedJob.format(job),
    line: { reason: 'job submitted', jobId },
    inputSteps: input.steps,
    async steps() {
      const found = waits && (await findWaits(table, catalog, owner, waits));
      return [
        createJob(job),
        beginJobLife(job, {
          login,
          ...fetchingTerms(submission, at),
          ...(found && waitingTerms(found, at)),
        }),
        keepRequest(job, describeRequest(submission, input.zip)),
        ...(found ? awaitSteps(job, found) : []),
      ];
    },
    takeBack: () => input.takeBack(),
    refusals: refusedForWaits,
    at,
  });
  return earlier === undefined
    ? { job, repeated: false }
    : { job: jobFromItem(earlier), repeated: true };
}

/** Returns the part of a new life that says that the job waits for its files, once it waits for nothing else. */
function fetchingTerms({ system, fetches }: Submission, at: Date): LifeTerms {
  return fetches && serviceFetches(system) ? { serviceFetches: true, waitsUntil: at } : {};
}

function queueJob(
  submission: Submission,
  { id, jobId, at }: { readonly id: number; readonly jobId: JobId; readonly at: Date },
  { bytes }: StoredZip,
): Job {
  const { owner, system, project, title } = submission;
  const { runtime, hold, cost } = allot(submission, bytes);
  return {
    id,
    jobId,
    owner,
    project,
    title,
    runtime,
    stage: system.stages.first,
    terminal: false,
    failed: false,
    submittedAt: wholeSecond(at),
    endedAt: null,
    hold,
    ...(cost !== undefined && { cost }),
    ...(project.shared && { drawn: true as const }),
  };
}

function describeRequest(submission: Submission, zip: StoredZip): JobRequest {
  const { program, extras, input, fetches, sends } = submission;
  return {
    program,
    ...resourcesOf(submission),
    extras,
    ...(fetches && { fetches }),
    ...(sends && { sends }),
    input: { fileName: input.fileName, ...zip },
  };
}

/**
 * Drops fractions of seconds. Bodies show whole seconds, and `since` and `until` must compare what
 * is shown.
 */
function wholeSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1000) * 1000);
}
