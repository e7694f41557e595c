import * as v from 'valibot';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { ProjectName } from '#lib/catalog/identifiers.ts';
import { folderVariable, keptFolderOf } from '#lib/catalog/project-folders.ts';
import type { CoresAs } from '#lib/catalog/resources.ts';
import { roundUp } from '#lib/time/round-up.ts';
import { type ArrayTask, classOf, type JobOrder, type JobTag } from '../connector.ts';
import { JobRefusedError } from '../errors.ts';
import {
  buildArrayScript,
  buildScript,
  type ScriptEnvironment,
  type ScriptJob,
} from '../script/build-script.ts';
import { chooseImage, type ImageSite } from '../script/choose-image.ts';
import type { ScriptFolder } from '../script/keep-folder.ts';
import { limitOf } from '../script/script-terms.ts';
import { handleOfTask, readHandle, writeTasks } from './array-tasks.ts';
import { cancelJob } from './cancel-job.ts';
import { findByTags } from './find-by-tag.ts';
import { isAgainstPolicy, judgeRefusal, reportFull } from './judge-refusal.ts';
import { listQueue, readQueued } from './look-up-jobs.ts';
import { translateStates } from './observe-job.ts';
import type { Slurm } from './slurm.ts';
import type { BatchJob } from './submit-bodies.ts';

/** Where and how the jobs of a system run on its cluster. */
export interface SlurmSite extends Omit<ScriptEnvironment, 'image'>, ImageSite {
  readonly partition: string;
  /** `{project}` stands for the name of the job's project. */
  readonly account?: string;
  /** The default is tasks. */
  readonly coresAs?: CoresAs | undefined;
  /** Where the jobs of each class run, if not there. */
  readonly classes?: HpcSystem['classes'];
  /**
   * An existing directory on the system that the user may write to. `{account}` stands for the
   * account that the job runs as.
   */
  readonly workDirectory: string;
  /** Its name in the accounting, if that keeps several clusters. */
  readonly cluster?: string | undefined;
  /** The folders of projects. By default they are below the work directory. */
  readonly keep?: HpcSystem['keep'];
  /** True if jobs run as their owners' accounts. */
  readonly isMapped?: boolean | undefined;
  /** False to stop jobs from sending their output while somebody follows them. */
  readonly liveOutput?: boolean | undefined;
  /** Set if the service brings the input and fetches the results itself. */
  readonly files?: 'ssh' | undefined;
  /** True to keep the directories of jobs after their results were sent. */
  readonly keepsDirectories?: boolean | undefined;
}

/** Hands a job over and returns its handle. */
export async function submitJob(
  slurm: Slurm,
  site: SlurmSite,
  order: JobOrder,
  isHeld = false,
): Promise<string> {
  const user = await chooseUser(slurm, order);
  const job = {
    isHeld,
    ...describeJob(order, site, user),
    name: order.jobId,
    script: buildScript(describeScript(order, site, user), termsOf(order, site)),
    logFile: `${locateJob(site, user, order.jobId)}.log`,
  };
  return handOver(slurm, job, order, user);
}

/** Hands a job over that may not start, and cancels it. slurmrestd has nothing like --test-only. */
export async function rehearseJob(slurm: Slurm, site: SlurmSite, order: JobOrder): Promise<void> {
  const handle = await submitJob(slurm, site, order, true);
  await cancelJob(slurm, { ...order, handle });
}

/**
 * Hands jobs over as tasks of one array, or of several if one script would be too long. With
 * `again`, looks for them first. Throws only if no job was handed over. Otherwise the jobs that are
 * missing in the answer can be tried again.
 */
export async function submitArray(
  slurm: Slurm,
  site: SlurmSite,
  orders: readonly JobOrder[],
  again: boolean,
): Promise<ReadonlyMap<string, string>> {
  const handles = new Map(again ? await findByTags(slurm, orders) : []);
  const known = handles.size;
  const tasks = orders.flatMap((order) =>
    order.array && !handles.has(order.jobId) ? [{ order, array: order.array }] : [],
  );
  let after = [...handles.values()].at(-1);
  for (const part of splitByLength(tasks)) {
    try {
      const added = await submitPart(slurm, site, part, after);
      for (const [jobId, handle] of added) handles.set(jobId, handle);
      after = added.at(-1)?.[1];
    } catch (error) {
      if (handles.size === known) throw error;
      break;
    }
  }
  return handles;
}

interface Task {
  readonly order: JobOrder;
  readonly array: ArrayTask;
}

/**
 * Slurm accepts scripts of 4 MB (max_script_size) and sends the script of an array to the node of
 * each task, so it should stay short.
 */
const longestScript = 1_000_000;

/** Splits tasks by what they add to a script, about. */
function splitByLength(tasks: readonly Task[]): Task[][] {
  const parts: Task[][] = [];
  let length = longestScript;
  for (const task of tasks) {
    const added = JSON.stringify(task.order).length;
    length += added;
    const part = parts.at(-1);
    if (part && length <= longestScript) part.push(task);
    else {
      parts.push([task]);
      length = added;
    }
  }
  return parts;
}

/** An array with a limit begins after the one before it, because the limit is for both together. */
async function submitPart(
  slurm: Slurm,
  site: SlurmSite,
  part: readonly Task[],
  before: string | undefined,
): Promise<(readonly [string, string])[]> {
  const [first, ...others] = part.toSorted((one, other) => one.array.task - other.array.task);
  if (!first) return [];
  const { order, array } = first;
  const after = array.atOnce === undefined ? undefined : (before ?? order.after);
  if (others.length === 0) {
    return [[order.jobId, await submitJob(slurm, site, { ...order, after })]];
  }
  const user = await chooseUser(slurm, order);
  const tasks = [first, ...others].map(({ order, array: { task } }) => ({
    task,
    jobId: order.jobId,
    job: describeScript(order, site, user),
  }));
  const job = {
    ...describeJob({ ...order, after }, site, user),
    name: array.name,
    script: buildArrayScript(tasks, termsOf(order, site)),
    array: writeTasks(
      tasks.map(({ task }) => task),
      array.atOnce,
    ),
    // Each task writes the log of its own job.
    logFile: '/dev/null',
  };
  const number = await handOver(slurm, job, order, user);
  return tasks.map(({ task, jobId }) => [jobId, handleOfTask(number, task)] as const);
}

/** Returns the account that a job runs as. */
export async function chooseUser(slurm: Slurm, { login }: JobTag): Promise<string> {
  const own = await slurm.readUser();
  if (login === own) throw new JobRefusedError(whyNotOwn(own));
  return login ?? own;
}

const Submitted = v.object({ job_id: v.pipe(v.number(), v.integer(), v.minValue(1)) });

/** Withdraws a job that Slurm accepted for an account that it does not know. */
async function handOver(
  slurm: Slurm,
  job: BatchJob,
  { jobId, owner, login }: JobTag,
  user: string,
): Promise<string> {
  const answer = await slurm.submit(job, login);
  // A job that is held or waits for its nodes exists, although the answer is an error.
  const result = v.safeParse(Submitted, answer.content);
  if (!result.success) {
    const isCounted = isAgainstPolicy(answer) && !job.array;
    const others = isCounted ? await countOthers(slurm, job, login) : 0;
    if (others > 0) throw reportFull(answer, others);
    throw judgeRefusal(answer, { ...job, user, isMapped: login !== undefined });
  }
  const handle = String(result.output.job_id);
  if (login === undefined || !slurm.acceptsUnknownAccounts) return handle;
  const submitted = { jobId, owner, login, handle };
  // Slurm also accepts jobs of unknown accounts, and keeps them for ever as jobs of `nobody`.
  const { jobs } = await readQueued(slurm, submitted);
  if (jobs.every((record) => record.user === login)) return handle;
  await cancelJob(slurm, submitted);
  throw new JobRefusedError(whyNotKnown(login));
}

/**
 * Counts the other jobs in the queue. Slurm refuses a job by the same number if there are too
 * many jobs, which passes, and if the job itself is beyond a limit, which does not. Without any other
 * job there cannot be too many. Slurm does not say whose limit it is: it may be one of an account
 * above, or of the partition, which counts the jobs of people who have nothing else in common.
 */
async function countOthers(
  slurm: Slurm,
  { name }: BatchJob,
  login: string | undefined,
): Promise<number> {
  const { jobs } = await listQueue(slurm, login);
  return jobs.filter(
    (record) => record.name !== name && translateStates(record.states)?.state === 'living',
  ).length;
}

function whyNotKnown(login: string): string {
  return (
    `The HPC system does not know the account '${login}'. ` +
    'Ask an administrator to correct it, and submit the job again.'
  );
}

/** SlurmUser's own account commands the whole cluster, so no job may run as it. */
function whyNotOwn(own: string): string {
  return (
    `The account '${own}' is the service's own on this system. ` +
    'Ask an administrator to enter yours, and submit the job again.'
  );
}

function locateJobs({ workDirectory }: SlurmSite, user: string): string {
  return workDirectory.replaceAll('{account}', user);
}

export function locateJob(site: SlurmSite, user: string, jobId: string): string {
  return `${locateJobs(site, user).replace(/\/$/, '')}/${jobId}`;
}

function describeScript(order: JobOrder, site: SlurmSite, user: string): ScriptJob {
  const { program, fetching, sending, input, resultsAddress, outputAddress } = order;
  const folder = locateFolder(site, order.project);
  const environment = { ...order.environment, ...(folder && { [folderVariable]: folder.path }) };
  const directory = locateJob(site, user, order.jobId);
  // Slurm stores C strings, so the script would silently end at the NUL.
  if ([program, ...Object.values(environment)].some((text) => text.includes('\0')))
    throw new JobRefusedError('The command contains a NUL character.');
  const job = { command: program, directory, environment, fetching, sending };
  if (site.files === 'ssh') return { ...job, keepsResults: true, hasInput: input !== undefined };
  return {
    ...job,
    inputAddress: input?.address,
    resultsAddress,
    outputAddress: site.liveOutput === false ? undefined : outputAddress,
  };
}

/** Names of jobs are in upper case, so none of them is called like this. */
const projectFolders = 'projects';

/** Returns where the folder of a project is, and how jobs and the service reach it. */
export function locateFolder(
  { keep, files, isMapped = false, workDirectory }: SlurmSite,
  project: ProjectName | undefined,
): ScriptFolder | undefined {
  const kept = keptFolderOf({ keep }, project);
  if (!kept) return undefined;
  const { maxBytes, path = `${workDirectory.replace(/\/$/, '')}/${projectFolders}/${project}` } =
    kept;
  return { path, maxBytes, isShared: isMapped, isOutOfReach: files !== 'ssh' };
}

function minutesOf({ hours }: JobOrder): number {
  return roundUp(hours * 60);
}

function termsOf(order: JobOrder, site: SlurmSite) {
  const { keepsDirectories: keepsDirectory, shell, setup = [] } = site;
  const { setup: ofClass = [] } = classOf(site, order);
  const folder = locateFolder(site, order.project);
  const image = chooseImage(site, order, folder?.path);
  const lines = [...setup, ...ofClass];
  return { ...limitOf(minutesOf(order)), keepsDirectory, shell, setup: lines, image, folder };
}

/** Rounds down, so that a whole node can be asked for. Slurm reads 0 as all memory of the node. */
function toMebibytes(megabytes: number): number {
  return Math.max(1, Math.floor((megabytes * 1_000_000) / 1_048_576));
}

/** Describes what all tasks of an array have in common. */
function describeJob(order: JobOrder, site: SlurmSite, user: string) {
  const {
    partition = site.partition,
    account = site.account,
    coresAs = site.coresAs,
    qos,
  } = classOf(site, order);
  const { memoryMegabytes, gpusPerNode = 0, gpuKind } = order;
  const { tasksPerNode = coresAs === 'threads' ? 1 : undefined } = order;
  const minutes = minutesOf(order);
  return {
    partition,
    ...(account !== undefined && { account: account.replaceAll('{project}', order.project ?? '') }),
    ...(qos !== undefined && { qos }),
    nodes: order.nodes,
    tasksPerNode: tasksPerNode ?? order.coresPerNode,
    ...(tasksPerNode !== undefined && { coresPerTask: order.coresPerNode / tasksPerNode }),
    ...(memoryMegabytes !== undefined && { mebibytes: toMebibytes(memoryMegabytes) }),
    ...(gpusPerNode > 0 && {
      gpus: gpuKind === undefined ? String(gpusPerNode) : `${gpuKind}:${gpusPerNode}`,
    }),
    minutes,
    warningSeconds: limitOf(minutes).reserveSeconds,
    // It must exist: Slurm runs a job without its directory in /tmp, if at all.
    directory: locateJobs(site, user),
    // Of an array, all tasks must have ended.
    ...(order.after !== undefined && { after: readHandle(order.after).number }),
  };
}
