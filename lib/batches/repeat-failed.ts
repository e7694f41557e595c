import { findSystem } from '#lib/catalog/catalog.ts';
import { resourcesOf } from '#lib/catalog/resources.ts';
import { isDiscarded } from '#lib/jobs/job.ts';
import { walkBatchJobs } from '#lib/jobs/read-batch-jobs.ts';
import type { SubmissionContext } from '#lib/jobs/submit/accept-once.ts';
import { findAnswer, type KeyedRequest } from '#lib/jobs/submit/idempotency.ts';
import { allot } from '#lib/jobs/submit/submission.ts';
import { changeOf } from '#lib/table/change.ts';
import { batchKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/transaction.ts';
import { requireLogin } from '#lib/users/logins/login-store.ts';
import { acceptBatch, type BatchAcceptance, numberBatch } from './accept-batch.ts';
import { type Batch, type BatchOrder, batchFromItem, makeBatchId } from './batch.ts';
import { findOrder } from './batch-store.ts';
import type { BatchSubmission } from './batch-submission.ts';
import { BatchInputGoneError, NothingFailedError } from './errors.ts';
import { readStoredRows, writeRows } from './stored-rows.ts';

/**
 * Submits the failed jobs of a batch again, as a batch of their own with the same zip. They keep
 * their values, also that of `{index}`.
 */
export async function repeatFailed(
  context: SubmissionContext,
  batch: Batch,
  { project, joins, claims }: Pick<BatchSubmission, 'project' | 'joins' | 'claims'>,
  key?: string,
  at = new Date(),
): Promise<BatchAcceptance> {
  const { table, catalog, inputs } = context;
  const { owner } = batch;
  const keyed: KeyedRequest | undefined =
    key === undefined ? undefined : { owner, key, fingerprint: `again ${batch.id}`, at };
  // A repeated request gets its first answer, even if more jobs have failed since.
  const answer = keyed && (await findAnswer(table, keyed));
  if (answer !== undefined) return { batch: batchFromItem(answer), repeated: true };
  const places = await listFailed(context, batch);
  if (places.length === 0) throw new NothingFailedError();
  const system = findSystem(catalog, batch.project.hpc);
  const login = await requireLogin(table, { owner, system, claims });
  const order = await findOrder(table, batch);
  const hasValues = order.hasRows || order.table !== undefined;
  if (batch.discard !== undefined && hasValues) throw new BatchInputGoneError();
  const rows = writeRows(await readStoredRows(inputs, batch, order), places);
  const id = makeBatchId(at);
  const submission = describeAgain(batch, { system, project, joins }, order);
  const allotment = allot(submission, order.input.bytes, places.length);
  const source = batch.origin ?? batch.id;
  const again: Batch = {
    ...(await numberBatch(table, submission, { count: places.length, allotment, at })),
    id,
    inputUsers: 0,
    ...(order.input.key !== undefined && { origin: source }),
  };
  const { login: _, table: __, ...asked } = order;
  return acceptBatch(
    context,
    submission,
    {
      batch: again,
      order: { ...asked, ...(login !== undefined && { login }), hasRows: true },
      rows,
      keyed,
      steps: order.input.key === undefined ? [] : [useInputOf(batch, source)],
      at,
    },
    async () => undefined,
  );
}

type Place = Pick<BatchSubmission, 'system' | 'project' | 'joins'>;

function describeAgain(
  { owner, title, runtime, maxRunning }: Batch,
  place: Place,
  order: BatchOrder,
) {
  const { program, extras, fetches } = order;
  const texts = { program, extras, title, ...(fetches && { fetches }) };
  const asked = { ...texts, ...resourcesOf(order), requestedRuntime: runtime };
  return { owner, ...place, ...asked, maxRunning };
}

/** Returns the places of the failed jobs. Deleted ones are left out. */
async function listFailed({ table }: SubmissionContext, batch: Batch): Promise<number[]> {
  const places: number[] = [];
  for await (const jobs of walkBatchJobs(table, batch)) {
    const failed = jobs.filter((job) => job.failed && !isDiscarded(job));
    places.push(...failed.map(({ id }) => id - batch.firstId));
  }
  return places;
}

/** Counts one more batch that uses a zip. Refuses if the zip was removed. */
function useInputOf({ owner }: Batch, source: Batch['id']): Step {
  return {
    Update: changeOf(batchKey(owner, source), {
      add: { input_users: 1 },
      when: ['input_users > :none'],
      values: { ':none': 0 },
    }),
    refuse: () => new BatchInputGoneError(),
  };
}
