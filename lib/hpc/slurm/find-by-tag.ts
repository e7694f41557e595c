import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import type { JobTag } from '../connector.ts';
import { SystemUnavailableError } from '../errors.ts';
import { handleOfTask, readHandle } from './array-tasks.ts';
import { isAbout, type JobList, type JobRecord, readAccountedJobs } from './job-record.ts';
import { reportFailure } from './judge-refusal.ts';
import { listQueue } from './look-up-jobs.ts';
import { hasCode, isSuccess } from './read-answer.ts';
import type { Slurm } from './slurm.ts';

/** "Nothing found with query": the accounting has no such job. */
export const nothingFound = 9003;

export async function findByTag(slurm: Slurm, tag: JobTag): Promise<string | undefined> {
  return (await findByTags(slurm, [tag])).get(tag.jobId);
}

/**
 * Finds jobs of one account by their names, and returns handles by job id. The name of a job is our
 * job id; that of a task is the name of its array. Asks as the account that the jobs run as, because
 * Slurm may show users only their own jobs. The queue has no filter and keeps ended jobs for
 * MinJobAge (300 s by default). After that only the accounting knows them.
 */
export async function findByTags(
  slurm: Slurm,
  tags: readonly JobTag[],
): Promise<ReadonlyMap<string, string>> {
  const login = tags[0]?.login;
  const user = login ?? (await slurm.readUser());
  const queue = await listQueue(slurm, login);
  const queued = findAmong(queue, tags, user);
  const missing = tags.filter(({ jobId }) => !queued.has(jobId));
  if (missing.length === 0) return queued;
  // The entry that could not be read may be this job. Answering "none" would submit it twice.
  if (!queue.complete)
    throw new SystemUnavailableError('A job in the list could not be understood.');
  return new Map([...queued, ...(await findAccounted(slurm, missing, user))]);
}

function findAmong(
  { jobs }: JobList,
  tags: readonly JobTag[],
  user: string,
): ReadonlyMap<string, string> {
  const byName = Map.groupBy(jobs, ({ name }) => name);
  return new Map(
    tags.flatMap((tag) => {
      const { jobId, array, login } = tag;
      const named = [
        ...(byName.get(jobId) ?? []).map((record) => ({ record, handle: record.id })),
        ...(byName.get(array?.name ?? '') ?? []).flatMap((record) => findTask(record, tag)),
      ];
      // Another user's job may have the same name. A job of `nobody` belongs to an account that
      // Slurm does not know.
      const own = named.filter(
        ({ record }) => (login === undefined ? (record.user ?? user) : record.user) === user,
      );
      const [first] = own.toSorted((one, other) => numberOf(one.record) - numberOf(other.record));
      return first ? [[jobId, first.handle] as const] : [];
    }),
  );
}

/** Throws if it is open whether the record is about the task, which might be submitted twice. */
function findTask(record: JobRecord, { array }: JobTag) {
  if (!array) return [];
  const handle = handleOfTask(readHandle(record.id).number, array.task);
  const isFound = isAbout(record, handle);
  if (isFound === undefined) {
    throw new SystemUnavailableError(
      `The list of the waiting tasks of ${array.name} is shortened.`,
    );
  }
  return isFound ? [{ record, handle }] : [];
}

function numberOf({ id }: JobRecord): number {
  return Number(readHandle(id).number);
}

/** Limits the length of a query. */
const namesPerQuery = 50;

async function findAccounted(slurm: Slurm, tags: readonly JobTag[], user: string) {
  if (!(await slurm.hasAccounting())) return [];
  const names = new Set(
    tags.flatMap(({ jobId, array }) => (array ? [jobId, array.name] : [jobId])),
  );
  const jobs: JobRecord[] = [];
  for (const some of splitIntoBatches([...names], namesPerQuery)) {
    jobs.push(...(await listNamed(slurm, some, tags[0]?.login)));
  }
  return findAmong({ jobs, complete: true }, tags, user);
}

async function listNamed(
  slurm: Slurm,
  names: readonly string[],
  login: string | undefined,
): Promise<readonly JobRecord[]> {
  const answer = await slurm.findAccounted(names, login);
  if (hasCode(answer, nothingFound)) return [];
  const list = isSuccess(answer) ? readAccountedJobs(answer.content) : undefined;
  if (list === undefined) throw reportFailure(answer, 'find in the accounting');
  return list.jobs;
}
