import { DomainError } from '#lib/errors/domain-error.ts';
import { StorageUnavailableError } from '#lib/files/errors.ts';
import { takenOverKey } from '#lib/files/object-keys.ts';
import { maxObjectBytes } from '#lib/files/storage/direct-store.ts';
import type { JobFiles } from '#lib/files/storage/object-store.ts';
import { isSystemFault } from '#lib/hpc/connector.ts';
import { holdSpaceSteps, lineOf, payerOf } from '#lib/quotas/draws.ts';
import { QuotaExceededError } from '#lib/quotas/errors.ts';
import { kilobytesOf } from '#lib/quotas/holds.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import { changeOf } from '#lib/table/change.ts';
import { jobKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { composeZip, measureZip, type ZipPart } from '#lib/zips/compose-zip.ts';
import { UnsafeZipError } from '#lib/zips/errors.ts';
import { mergeParts } from '#lib/zips/merge-parts.ts';
import { JobNotFoundError } from '../errors.ts';
import { accountOf, type Job, paymentOf } from '../job.ts';
import { readRequest, replaceInput, type StoredZip } from '../job-request.ts';
import type { JobLife } from '../life/job-life.ts';
import { claimTakeOver, postponeTakeOver, releaseStep } from '../life/job-life-store.ts';
import { tooLate, writeIfFirst } from '../life/write-if-first.ts';
import { type GatheringContext, gatherInput, UnusableResultsError } from './gather-input.ts';

export interface WaitingContext extends GatheringContext {
  readonly now: () => Date;
}

/** A function that takes over results ends after five minutes. */
const leaseSeconds = 310;

/** The pause after a system or the storage could not be reached. */
const pauseSeconds = 60;

/** Gives up after this many tries in a row that were cut off. */
const mostTries = 3;

/**
 * Makes the results of an ended job the input of a waiting one, charges their space, and releases
 * the job, all in one transaction. The zip is written before, so a try can be repeated at any time.
 * Returns the reason if the job must end, because it can never have this input.
 */
export async function takeOverInput(
  context: WaitingContext,
  job: Job,
  life: JobLife,
): Promise<string | undefined> {
  const { table, now } = context;
  const source = life.after?.find(({ givesInput }) => givesInput);
  const began = now();
  if (!source || !life.dueAt) return undefined;
  if (life.takingOverSince && life.dueAt > began) return undefined;
  if (life.takeOvers >= mostTries) {
    return `Cancelled because the results of ${source.id} could not be taken over in ${mostTries} tries.`;
  }
  const until = addSeconds(began, leaseSeconds);
  if (!(await claimTakeOver(table, job, life.dueAt, { began, until }))) return undefined;
  try {
    await takeOver(context, job, life, source);
    return undefined;
  } catch (error) {
    const why = explainRefusal(error);
    if (why !== undefined) {
      return `Cancelled because the results of ${source.id} cannot be its input: ${why}`;
    }
    const isDown = isSystemFault(error) || error instanceof StorageUnavailableError;
    if (!isDown) throw error;
    const reason = `The results of ${source.id} on ${source.hpc} cannot be reached right now. It will be tried again.`;
    await postponeTakeOver(table, job, addSeconds(now(), pauseSeconds), reason);
    return undefined;
  }
}

/** Returns undefined for an error that may pass, or that is a bug of ours. */
function explainRefusal(error: unknown): string | undefined {
  if (error instanceof UnusableResultsError || error instanceof UnsafeZipError) {
    return error.message;
  }
  if (error instanceof QuotaExceededError) return error.message;
  if (isSystemFault(error) || error instanceof StorageUnavailableError) return undefined;
  if (error instanceof DomainError) return error.message;
  return undefined;
}

async function takeOver(
  context: WaitingContext,
  job: Job,
  life: JobLife,
  source: NonNullable<JobLife['after']>[number],
): Promise<void> {
  const { table, files } = context;
  const request = await readRequest(table, job);
  if (!request) throw new JobNotFoundError();
  const { inspectStoredZip } = await import('#lib/zips/inspect-zip.ts');
  const { parts: results, ofJobs } = await gatherInput(context, source, job.owner);
  const parts = mergeParts(await listOwn(files, request.input), results, life.inputFolder);
  const bytes = measureZip(parts);
  if (bytes > maxObjectBytes) throw tooLarge(bytes, maxObjectBytes);
  await refuseBeyondSpace(table, job, bytes);
  const key = takenOverKey(job.owner, job.jobId);
  await files.inputs.putFrom(key, composeZip(parts));
  try {
    await inspectStoredZip(files.inputs, key, bytes);
    const isCharged = await charge(
      context,
      job,
      { key, bytes },
      `input from ${source.id}${ofJobs}`,
    );
    const replaced = isCharged ? request.input.key : key;
    if (replaced !== undefined) await files.inputs.remove(replaced).catch(() => undefined);
  } catch (error) {
    if (explainRefusal(error) !== undefined) {
      await files.inputs.remove(key).catch(() => undefined);
    }
    throw error;
  }
}

function tooLarge(bytes: number, most: number): Error {
  return new UnusableResultsError(
    `Together with its own files they have ${bytes} bytes, and at most ${most} are allowed.`,
  );
}

/** Refuses results that the quota has no space for, before they are transferred. */
async function refuseBeyondSpace(table: Table, job: Job, bytes: number): Promise<void> {
  const account = payerOf(paymentOf(job));
  const { space } = await findQuota(table, account);
  const kilobytes = kilobytesOf(bytes) - job.hold.kilobytes;
  if (kilobytes > space.left) {
    throw new QuotaExceededError(
      account,
      { seconds: 0, kilobytes },
      { seconds: 0, kilobytes: space.left },
    );
  }
}

async function listOwn({ inputs }: JobFiles, { key, bytes }: StoredZip): Promise<ZipPart[]> {
  if (key === undefined) return [];
  const { listParts } = await import('#lib/zips/list-parts.ts');
  return listParts(inputs, key, bytes);
}

/** Returns false if the job was cancelled meanwhile. */
function charge(
  { table, now }: WaitingContext,
  job: Job,
  zip: { readonly key: string; readonly bytes: number },
  reason: string,
): Promise<boolean> {
  const at = now();
  const payment = paymentOf(job);
  const more = Math.max(0, kilobytesOf(zip.bytes) - job.hold.kilobytes);
  return writeIfFirst(table, [
    releaseStep(job, at),
    replaceInput(job, zip),
    ...(more === 0
      ? []
      : [
          ...holdSpaceSteps(payment, more),
          changeHeldSpace(job, job.hold.kilobytes + more),
          writeLedgerLine({
            ...lineOf(payment),
            kind: 'hold',
            seconds: 0,
            kilobytes: -more,
            at,
            by: job.owner,
            reason,
            jobId: job.jobId,
          }),
        ]),
  ]);
}

/** Only while the job holds what it held when it was read. */
function changeHeldSpace(job: Job, kilobytes: number): Step {
  return {
    Update: changeOf(jobKey(accountOf(job), job.jobId), {
      set: { held_kilobytes: kilobytes },
      expect: { terminal: false, held_kilobytes: job.hold.kilobytes },
    }),
    refuse: tooLate,
  };
}
