import { type AllowedBucket, isBucketAddress } from '#lib/catalog/bucket-addresses.ts';
import { findSystem } from '#lib/catalog/catalog.ts';
import {
  type AddressedInput,
  type BucketWays,
  type Fetching,
  fetchingOf,
  writeHost,
} from '#lib/catalog/input-addresses.ts';
import { DomainError } from '#lib/errors/domain-error.ts';
import {
  FetchingInterruptedError,
  InputNotFetchedError,
  StorageUnavailableError,
} from '#lib/files/errors.ts';
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
import { mergeParts } from '#lib/zips/merge-parts.ts';
import { JobNotFoundError } from '../errors.ts';
import { accountOf, type Job, paymentOf } from '../job.ts';
import { type JobRequest, readRequest, replaceInput, type StoredZip } from '../job-request.ts';
import type { JobLife } from '../life/job-life.ts';
import { claimTakeOver, postponeTakeOver, releaseStep } from '../life/job-life-store.ts';
import { tooLate, writeIfFirst } from '../life/write-if-first.ts';
import { type GatheringContext, gatherInput, UnusableResultsError } from './gather-input.ts';

export interface WaitingContext extends GatheringContext {
  readonly now: () => Date;
  /** Set in the function that fetches files for jobs. All others leave those jobs to it. */
  readonly fetcher?: {
    fetch(fetching: Fetching, seconds: number): Promise<FetchedParts>;
    /** Signs the address of a file in a bucket. Throws a JobNotFoundError if it may not be read. */
    sign(from: string, buckets: readonly AllowedBucket[]): Promise<string>;
    /** The time until this process ends. */
    leftMs(): number;
  };
}

interface FetchedParts {
  listParts(): ZipPart[];
  close(): Promise<void>;
}

type Source = NonNullable<JobLife['after']>[number];

/** Why a waiting job can never have its input. */
export interface InputRefusal {
  readonly outcome: 'cancelled' | 'failed';
  readonly reason: string;
}

/** A function that takes over results ends after five minutes. */
const leaseSeconds = 310;

/** A process that fetches may live on for a moment after its time. */
const afterwardsSeconds = 10;

/** The time for fetching, and what is kept for storing the zip afterwards. */
const longestFetchSeconds = 600;
const storeSeconds = 60;

/** The pause after a system or the storage could not be reached. */
const pauseSeconds = 60;

/** Gives up after this many tries in a row that were cut off. */
const mostTries = 3;

/**
 * Puts the input of a waiting job together, of its own zip, the results of an ended job and the files
 * that the service fetches for it, charges their space, and releases the job, all in one transaction.
 * The zip is written before, so a try can be repeated at any time. Returns the reason if the job must
 * end, because it can never have this input.
 */
export async function prepareInput(
  context: WaitingContext,
  job: Job,
  life: JobLife,
): Promise<InputRefusal | undefined> {
  const { table, now, fetcher } = context;
  const source = life.after?.find(({ givesInput }) => givesInput);
  const began = now();
  if (!(source || life.serviceFetches) || !life.dueAt) return undefined;
  if (life.takingOverSince && life.dueAt > began) return undefined;
  if (life.takeOvers >= mostTries) return refuseTries(source);
  const seconds = fetcher ? fetcher.leftMs() / 1000 + afterwardsSeconds : leaseSeconds;
  const until = addSeconds(began, seconds);
  if (!(await claimTakeOver(table, job, life.dueAt, { began, until }))) return undefined;
  try {
    await prepare(context, job, life, source);
    return undefined;
  } catch (error) {
    const why = explainRefusal(error);
    if (why !== undefined) return refuse(error, why, source);
    if (!mayPass(error)) throw error;
    const what = source ? `The results of ${source.id} on ${source.hpc}` : 'Its input';
    const reason = `${what} cannot be reached right now. It will be tried again.`;
    await postponeTakeOver(table, job, addSeconds(now(), pauseSeconds), reason);
    return undefined;
  }
}

function refuseTries(source: Source | undefined): InputRefusal {
  const tries = `in ${mostTries} tries.`;
  if (!source) {
    return { outcome: 'failed', reason: `Its inputs could not be fetched and stored ${tries}` };
  }
  const reason = `Cancelled because the results of ${source.id} could not be taken over ${tries}`;
  return { outcome: 'cancelled', reason };
}

/** A job whose files cannot be had fails, as it does where it would fetch them itself. */
function refuse(error: unknown, why: string, source: Source | undefined): InputRefusal {
  if (error instanceof InputNotFetchedError) return { outcome: 'failed', reason: why };
  if (!source) return { outcome: 'failed', reason: `Its inputs cannot be stored: ${why}` };
  const reason = `Cancelled because the results of ${source.id} cannot be its input: ${why}`;
  return { outcome: 'cancelled', reason };
}

/** Returns undefined for an error that may pass, or that is a bug of ours. */
function explainRefusal(error: unknown): string | undefined {
  if (error instanceof UnusableResultsError) return error.message;
  return error instanceof DomainError && !mayPass(error) ? error.message : undefined;
}

function mayPass(error: unknown): boolean {
  return (
    isSystemFault(error) ||
    error instanceof StorageUnavailableError ||
    error instanceof FetchingInterruptedError
  );
}

async function prepare(
  context: WaitingContext,
  job: Job,
  life: JobLife,
  source: Source | undefined,
): Promise<void> {
  const request = await readRequest(context.table, job);
  if (!request) throw new JobNotFoundError();
  const found = source && (await gatherInput(context, source, job.owner));
  const fetched = await fetchFor(context, job, life, request);
  try {
    const own = await listOwn(context.files, request.input);
    const others = mergeParts(own, found?.parts ?? [], life.inputFolder);
    const parts = fetched ? mergeParts(fetched.listParts(), others) : others;
    const reason = source
      ? `input from ${source.id}${found?.ofJobs}`
      : 'inputs fetched by the service';
    await replace(context, job, request, { parts, reason });
  } finally {
    await fetched?.close();
  }
}

/** A fetched file wins over one of the zip, as it does where jobs fetch. */
async function fetchFor(
  { catalog, fetcher }: WaitingContext,
  job: Job,
  life: JobLife,
  { fetches }: JobRequest,
): Promise<FetchedParts | undefined> {
  if (!life.serviceFetches || !fetches || !fetcher) return undefined;
  const system = findSystem(catalog, job.project.hpc);
  const ways = await signWays(fetcher.sign, fetches, system.inputs?.buckets);
  const fetching = fetchingOf(system, fetches, ways);
  if (!fetching) return undefined;
  const leftSeconds = fetcher.leftMs() / 1000 - storeSeconds;
  return fetcher.fetch(fetching, Math.min(longestFetchSeconds, leftSeconds));
}

/** Signs the addresses of all files in buckets. The signed ones are called without further checks. */
async function signWays(
  sign: NonNullable<WaitingContext['fetcher']>['sign'],
  fetches: readonly AddressedInput[],
  buckets: readonly AllowedBucket[] = [],
): Promise<BucketWays> {
  const signed = await Promise.all(
    fetches.map(async ({ from, to }) => {
      if (!isBucketAddress(from)) return undefined;
      try {
        return new URL(await sign(from, buckets));
      } catch (error) {
        if (!(error instanceof JobNotFoundError)) throw error;
        throw new InputNotFetchedError(
          `The input ${to} could not be fetched from ${from}: the service may not read it.`,
        );
      }
    }),
  );
  const trusted = signed.flatMap((url) => (url ? [writeHost(url)] : []));
  return { addressOf: (number) => signed[number]?.href ?? '', trusted: [...new Set(trusted)] };
}

/** Stores the zip of all parts, and makes it the input of the job. */
async function replace(
  context: WaitingContext,
  job: Job,
  request: JobRequest,
  { parts, reason }: { readonly parts: readonly ZipPart[]; readonly reason: string },
): Promise<void> {
  const { table, files } = context;
  const { inspectStoredZip } = await import('#lib/zips/inspect-zip.ts');
  const bytes = measureZip(parts);
  if (bytes > maxObjectBytes) throw tooLarge(bytes, maxObjectBytes);
  await refuseBeyondSpace(table, job, bytes);
  const key = takenOverKey(job.owner, job.jobId);
  await files.inputs.putFrom(key, composeZip(parts));
  try {
    await inspectStoredZip(files.inputs, key, bytes);
    const isCharged = await charge(context, job, { key, bytes }, reason);
    // The jobs of a batch share the zip that they were sent with.
    const replaced = job.batch ? undefined : request.input.key;
    const unused = isCharged ? replaced : key;
    if (unused !== undefined) await files.inputs.remove(unused).catch(() => undefined);
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
