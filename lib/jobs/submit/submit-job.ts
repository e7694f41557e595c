import type { Catalog } from '#lib/catalog/catalog.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { resourcesOf } from '#lib/catalog/resources.ts';
import { inputKey } from '#lib/files/object-keys.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import { holdSteps, lineOf } from '#lib/quotas/draws.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import { BudgetSpentError } from '#lib/spending/errors.ts';
import { holdSpending } from '#lib/spending/spending-store.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { AccountMissingError } from '#lib/users/logins/errors.ts';
import { requireLogin } from '#lib/users/logins/login-store.ts';
import { awaitSteps, type FoundWaits, findWaits, waitingTerms } from '../chains/await-jobs.ts';
import { AwaitedFailedError, AwaitedNotFoundError, TooManyResultsError } from '../chains/errors.ts';
import { accountOf, type Job, jobFromItem, paymentOf, storedJob } from '../job.ts';
import { makeJobId } from '../job-id.ts';
import { type JobRequest, keepRequest, type StoredZip } from '../job-request.ts';
import { createJob } from '../job-store.ts';
import { beginJobLife } from '../life/job-life-store.ts';
import { acceptOnce } from './accept-once.ts';
import { claimIdempotencyKey, findAnswer } from './idempotency.ts';
import { type PlacedInput, placeInput } from './place-input.ts';
import { allot, fingerprintSubmission, type Submission } from './submission.ts';

export interface SubmissionContext {
  readonly table: Table;
  readonly catalog: Catalog;
  readonly inputs: ObjectStore;
  /** US dollars a month for jobs on systems with a price. */
  readonly budget?: number | undefined;
}

export interface Acceptance {
  readonly job: Job;
  /** Whether this is the answer to an earlier request with the same Idempotency-Key. */
  readonly repeated: boolean;
}

/**
 * Accepts a job. The job, its request, the hold on its quota, the ledger line and the idempotency
 * key are one transaction, so none of them ever exists without the others. Its zip is stored before
 * that. Does not wait for the HPC system, because the table's stream triggers the hand-over.
 */
export async function submitJob(
  context: SubmissionContext,
  submission: Submission,
  key?: string,
  at = new Date(),
): Promise<Acceptance> {
  const { table } = context;
  const { owner } = submission;
  try {
    const login = await requireLogin(table, submission);
    return await acceptJob(context, submission, { login, key, at });
  } catch (error) {
    if (key === undefined || !refusedAtOnce.some((refusal) => error instanceof refusal))
      throw error;
    // A repeated request gets its first answer, even if its account was removed since, the job that
    // it waits for has failed, or the budget is spent.
    const fingerprint = fingerprintSubmission(submission);
    const answer = await findAnswer(table, { owner, key, fingerprint, at });
    if (answer === undefined) throw error;
    return { job: jobFromItem(answer), repeated: true };
  }
}

/** Refusals from before the transaction, which would recognize a repeated request. */
const refusedAtOnce = [
  AccountMissingError,
  AwaitedFailedError,
  AwaitedNotFoundError,
  TooManyResultsError,
  BudgetSpentError,
];

interface Terms {
  /** The account that the job is to run as, if not the service's own. */
  readonly login: string | undefined;
  readonly key: string | undefined;
  readonly at: Date;
  /** What the job waits for, as it was read for this attempt. */
  readonly found?: FoundWaits | undefined;
}

async function acceptJob(
  { table, catalog, inputs, budget }: SubmissionContext,
  submission: Submission,
  terms: Terms,
): Promise<Acceptance> {
  const { key, at } = terms;
  const jobId = makeJobId(submission.system, submission.program);
  const place = { usedBy: jobId, key: inputKey(submission.owner, jobId) };
  const circumstances = { ...place, repeatable: key !== undefined, at };
  const input = await placeInput(table, inputs, submission, circumstances);
  const id = await takeNumbers(table, 'job');
  const job = queueJob(submission, { id, jobId, at }, input.zip);
  const { owner, waits } = submission;
  const earlier = await acceptOnce(
    { table, catalog },
    {
      account: accountOf(job),
      joining: submission.joins ? submission.project : undefined,
      write: () =>
        decideUntilWritten(async () => {
          const found = waits && (await findWaits(table, catalog, owner, waits));
          const steps = acceptanceSteps(job, submission, input, { ...terms, found });
          const spending = await holdSpending(table, { cost: job.cost, budget, at });
          await writeTransaction(table, [...steps, ...spending]);
        }),
      takeBack: () => input.takeBack(),
      refusals: [AwaitedFailedError, AwaitedNotFoundError, TooManyResultsError],
      hasKey: key !== undefined,
      at,
    },
  );
  return earlier === undefined
    ? { job, repeated: false }
    : { job: jobFromItem(earlier), repeated: true };
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
  const { program, extras, input, fetches } = submission;
  return {
    program,
    ...resourcesOf(submission),
    extras,
    ...(fetches && { fetches }),
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

/**
 * Puts the key first, so that a repeated request gets its answer even if the quota is used up by
 * now.
 */
function acceptanceSteps(
  job: Job,
  submission: Submission,
  input: PlacedInput,
  { login, key, at, found }: Terms,
): Step[] {
  const payment = paymentOf(job);
  const { owner } = job;
  const { joins, project } = submission;
  const { maxLivingJobs, closed } = project;
  return [
    ...(key === undefined
      ? []
      : [
          claimIdempotencyKey(
            { owner, key, fingerprint: fingerprintSubmission(submission), at },
            storedJob.format(job),
          ),
        ]),
    ...input.steps,
    ...holdSteps(payment, job.hold, { maxLivingJobs, closed, joins, now: at }),
    createJob(job),
    beginJobLife(job, { login, ...(found && waitingTerms(found, at)) }),
    keepRequest(job, describeRequest(submission, input.zip)),
    writeLedgerLine({
      ...lineOf(payment),
      kind: 'hold',
      seconds: -job.hold.seconds,
      kilobytes: -job.hold.kilobytes,
      at,
      by: job.owner,
      reason: 'job submitted',
      jobId: job.jobId,
    }),
    ...(found ? awaitSteps(job, found) : []),
  ];
}
