import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { type BatchId, isBatchId, type UserId } from '#lib/catalog/identifiers.ts';
import { sendsResults } from '#lib/catalog/sends-results.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { DomainError, isMistake } from '#lib/errors/domain-error.ts';
import { maxObjectBytes } from '#lib/files/storage/direct-store.ts';
import type { JobFiles } from '#lib/files/storage/object-store.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import { type AccountKey, jobLifeKey } from '#lib/table/keys.ts';
import { readItems } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { ZipPart } from '#lib/zips/compose-zip.ts';
import { UnsafeZipError } from '#lib/zips/errors.ts';
import { moveInto } from '#lib/zips/merge-parts.ts';
import { zipLimits } from '#lib/zips/zip-directory.ts';
import { isDiscarded, type Job } from '../job.ts';
import { type JobLife, lifeFromItem } from '../life/job-life.ts';
import { findLife } from '../life/job-life-store.ts';
import { readJobsAt } from '../read-batch-jobs.ts';
import { readAwaited } from './awaited.ts';

export interface GatheringContext {
  readonly table: Table;
  readonly catalog: Catalog;
  readonly files: JobFiles;
  readonly connect: (system: HpcSystem) => Promise<Connector>;
}

type Source = NonNullable<JobLife['after']>[number];

/** The results can never become the input, for a reason that the owner must know. */
export class UnusableResultsError extends Error {}

interface Gathered {
  readonly parts: ZipPart[];
  /** Says how many jobs of a batch they are from. Empty for a job. */
  readonly ofJobs: string;
}

/**
 * Lists the results of an ended job, or those of the jobs of a batch in a folder for each. Their
 * content is read when the parts are, one after the other.
 */
export async function gatherInput(
  context: GatheringContext,
  source: Source,
  owner: UserId,
): Promise<Gathered> {
  const { table } = context;
  const { id, hpc, project } = source;
  const account = { user: owner, hpc, project };
  if (isBatchId(id)) return gatherBatch(context, { ...source, id }, account);
  const run = { life: await findLife(table, account, id), folder: undefined };
  const parts = await gather(context, account, [run]);
  if (parts.length === 0) throw new UnusableResultsError('It has left no files.');
  return { parts, ofJobs: '' };
}

async function gatherBatch(
  context: GatheringContext,
  source: Source & { readonly id: BatchId },
  account: AccountKey,
): Promise<Gathered> {
  const { table } = context;
  const { id, anyEnd: leavesOutFailed } = source;
  const owner = account.user;
  const batch = (await readAwaited(table, owner, [source])).get(id)?.jobs;
  if (!batch) throw new UnusableResultsError('It was deleted.');
  const { count } = batch;
  const jobs = await readJobsAt(table, { id, owner, ...batch }, 0, count);
  const ended = jobs.filter(endedWell);
  const without = jobs.find((job) => !endedWell(job));
  if (without && !leavesOutFailed) {
    throw new UnusableResultsError(
      `Its job with the index ${indexOf(without)} has none any more, because it is ${without.stage}.`,
    );
  }
  if (ended.length === 0) throw new UnusableResultsError('None of its jobs ended well.');
  const digits = String(Math.max(...jobs.map(indexOf))).length;
  const folders = new Map(
    ended.map((job) => [job.jobId, String(indexOf(job)).padStart(digits, '0')]),
  );
  const keys = ended.map(({ jobId }) => jobLifeKey(account, jobId));
  const lives = (await readItems(table, keys)).map(lifeFromItem);
  const runs = lives.map((life) => ({ life, folder: folders.get(life.jobId) }));
  const parts = await gather(context, account, runs);
  if (parts.length === 0) throw new UnusableResultsError('None of its jobs has left files.');
  const taken = new Set(parts.map(({ name }) => name.split('/', 1)[0])).size;
  return { parts, ofJobs: `, ${taken} of its ${count} jobs` };
}

function endedWell(job: Job): boolean {
  return job.terminal && !job.failed && !isDiscarded(job);
}

function indexOf({ batch }: Job): number {
  return batch?.index ?? 0;
}

/** The results of a job, by its life, and the folder that they are put into. */
interface Run {
  readonly life: JobLife;
  readonly folder: string | undefined;
}

type SizeOf<Found> = (found: Found) => number;

/** Jobs whose results are listed in parallel. */
const jobsAtOnce = 8;

async function gather(
  { catalog, files, connect }: GatheringContext,
  { user: owner, hpc }: AccountKey,
  runs: readonly Run[],
): Promise<ZipPart[]> {
  const { gatherRemote, openSentResults } = await import('#lib/files/results/gather-results.ts');
  const system = findSystem(catalog, hpc);
  const check = openLimit();
  async function listAll<Found>(list: (run: Run) => Promise<Found[]>, size: SizeOf<Found>) {
    const listOne = async (run: Run) => check(await list(run), size);
    return (await mapInParallel(runs, jobsAtOnce, listOne, { stopAtFailure: true })).flat();
  }
  if (sendsResults(system)) {
    const listSent = openSentResults(files.results);
    return listAll(
      async ({ life: { jobId, run }, folder }) => {
        const parts = await blameZip(folder, listSent({ owner, jobId, run }));
        return folder === undefined ? parts : parts.map((part) => moveInto(part, folder));
      },
      ({ packedBytes }) => packedBytes,
    );
  }
  const connector = await connect(system);
  const kept = await listAll(
    async ({ life: { jobId, handle, login }, folder }) => {
      if (handle === undefined) return [];
      const job = { jobId, owner, login, handle };
      const found = await connector.listFiles(job);
      return found.map((file) => ({ ...file, job, name: placeFile(file.name, folder) }));
    },
    ({ bytes }) => bytes,
  );
  return gatherRemote(connector, kept);
}

function placeFile(name: string, folder: string | undefined): string {
  const within = name.replace(/^(\.?\/)+/, '');
  return folder === undefined ? within : `${folder}/${within}`;
}

/** Returns a check that ends the listing of files which cannot fit into one zip. */
function openLimit() {
  let [files, bytes] = [0, 0];
  return <Found>(found: Found[], size: SizeOf<Found>): Found[] => {
    files += found.length;
    bytes += found.reduce((sum, each) => sum + size(each), 0);
    const { entries } = zipLimits;
    if (files > entries) throw new UnusableResultsError(`They are more than ${entries} files.`);
    if (bytes > maxObjectBytes) {
      throw new UnusableResultsError(`They exceed ${maxObjectBytes} bytes.`);
    }
    return found;
  };
}

/** Blames a zip that a job sent for what is wrong with it. It is not trusted. */
async function blameZip(
  folder: string | undefined,
  reading: Promise<ZipPart[]>,
): Promise<ZipPart[]> {
  try {
    return await reading;
  } catch (error) {
    const isUnsafe = error instanceof UnsafeZipError;
    if (!isUnsafe && (error instanceof DomainError || isMistake(error))) throw error;
    // Its parser throws plain errors.
    const why = isUnsafe ? error.message : 'They are not a zip that can be read.';
    throw new UnusableResultsError(folder === undefined ? why : `In ${folder}: ${why}`, {
      cause: error,
    });
  }
}
