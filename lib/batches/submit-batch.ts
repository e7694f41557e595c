import { resourcesOf } from '#lib/catalog/resources.ts';
import { UploadUsedError } from '#lib/files/errors.ts';
import { requireRoomInFolder } from '#lib/files/folders/require-room.ts';
import { batchInputKey } from '#lib/files/object-keys.ts';
import { type SubmissionContext, submitOnce } from '#lib/jobs/submit/accept-once.ts';
import type { KeyedRequest } from '#lib/jobs/submit/idempotency.ts';
import { placeInput } from '#lib/jobs/submit/place-input.ts';
import { allot } from '#lib/jobs/submit/submission.ts';
import { requireLogin } from '#lib/users/logins/login-store.ts';
import { acceptBatch, type BatchAcceptance, numberBatch } from './accept-batch.ts';
import { type BatchOrder, batchFromItem, makeBatchId } from './batch.ts';
import { type BatchSubmission, fingerprintBatch } from './batch-submission.ts';
import { type CheckedRows, readRows } from './read-rows.ts';

/**
 * Accepts a batch. The batch, the hold for all its jobs, one ledger line and the idempotency key are
 * one transaction, so it costs the same for any number of jobs, and no hold exists without its
 * batch. Everything is checked before anything is stored. The table's stream triggers the creation
 * of the jobs.
 */
export async function submitBatch(
  context: SubmissionContext,
  submission: BatchSubmission,
  key?: string,
  at = new Date(),
): Promise<BatchAcceptance> {
  const { table } = context;
  const { owner } = submission;
  const fingerprint = fingerprintBatch(submission);
  const keyed = key === undefined ? undefined : { owner, key, fingerprint, at };
  return submitOnce(
    table,
    keyed,
    [UploadUsedError],
    async () => {
      const login = await requireLogin(table, submission);
      const rows = await readRows(context, submission, at);
      return placeAndAccept(context, submission, { rows, login, keyed, at });
    },
    (answer) => ({ batch: batchFromItem(answer), repeated: true }),
  );
}

interface Terms {
  readonly rows: CheckedRows;
  readonly login: string | undefined;
  readonly keyed: KeyedRequest | undefined;
  readonly at: Date;
}

async function placeAndAccept(
  context: SubmissionContext,
  submission: BatchSubmission,
  { rows, login, keyed, at }: Terms,
): Promise<BatchAcceptance> {
  const { table, inputs } = context;
  const { owner } = submission;
  await requireRoomInFolder(table, submission);
  const id = makeBatchId(at);
  const input = await placeInput(table, inputs, submission, {
    usedBy: id,
    key: batchInputKey(owner, id),
    repeatable: keyed !== undefined,
    at,
  });
  const { program, extras, fetches, sends } = submission;
  const order: BatchOrder = {
    program,
    ...resourcesOf(submission),
    extras,
    ...(fetches && { fetches }),
    ...(sends && { sends }),
    ...(login !== undefined && { login }),
    input: { fileName: submission.input.fileName, ...input.zip },
    ...('table' in submission.shape && { table: submission.shape.table }),
    hasRows: false,
  };
  const allotment = allot(submission, input.zip.bytes, rows.count);
  const batch = {
    ...(await numberBatch(table, submission, { count: rows.count, allotment, at })),
    id,
    inputUsers: input.zip.key === undefined ? 0 : 1,
  };
  const accepted = { batch, order, rows: undefined, keyed, steps: input.steps, at };
  return acceptBatch(context, submission, accepted, () => input.takeBack());
}
