import * as v from 'valibot';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { roundUp } from '#lib/time/round-up.ts';
import type { Connector, JobOrder, OpenKind, SubmittedJob } from '../connector.ts';
import { JobRefusedError, RemoteFileNotFoundError, SystemUnavailableError } from '../errors.ts';
import { buildScript, limitOf } from './build-script.ts';
import { findByTag } from './find-by-tag.ts';
import { judgeRefusal, reportFailure } from './judge-refusal.ts';
import { listAccounted } from './list-accounted.ts';
import { lookUpJobs, readQueued } from './look-up-jobs.ts';
import { hasCode, isSuccess, isUnknownJob } from './read-answer.ts';
import { openSlurmrestd, type Slurmrestd, type SlurmrestdOptions } from './slurmrestd.ts';
import type { BatchJob } from './submit-bodies.ts';

export interface SlurmOptions extends SlurmrestdOptions {
  readonly partition: string;
  readonly account?: string;
  /**
   * An existing directory on the system that the user may write to. `{account}` stands for the
   * account that the job runs as.
   */
  readonly workDirectory: string;
  /** False to stop jobs from sending their output while somebody follows them. */
  readonly liveOutput?: boolean | undefined;
  /** True to keep the directories of jobs after their results were sent. */
  readonly keepsDirectories?: boolean | undefined;
  readonly pollFloorSeconds?: number;
  readonly batchSize?: number;
}

const Submitted = v.object({ job_id: v.pipe(v.number(), v.integer(), v.minValue(1)) });

/** ESLURM_ALREADY_DONE */
const alreadyDone = 2021;

export const open: OpenKind<'slurm'> = (settings, { openCredentials }) =>
  createSlurmConnector({ ...settings, credentials: openCredentials() });

/** A Slurm cluster behind its slurmrestd, versions 0.0.37 to 0.0.43 of its interface. */
export function createSlurmConnector(options: SlurmOptions): Connector {
  const slurmrestd = openSlurmrestd(options);
  return {
    pollFloorSeconds: options.pollFloorSeconds ?? 30,
    batchSize: options.batchSize ?? 500,

    async submit(order) {
      const { jobId, owner, login } = order;
      const own = await slurmrestd.readUser();
      if (login === own) throw new JobRefusedError(whyNotOwn(own));
      const user = login ?? own;
      const handle = await handOver(slurmrestd, describeJob(order, options, user), user, login);
      if (login === undefined) return handle;
      const job = { jobId, owner, login, handle };
      if (await runsAsAccount(slurmrestd, job)) return handle;
      await cancelJob(slurmrestd, job);
      throw new JobRefusedError(whyNotKnown(login));
    },

    findByTag: (tag) => findByTag(slurmrestd, tag),

    async lookUp(jobs) {
      const own = await slurmrestd.readUser();
      return lookUpJobs(slurmrestd, jobs, ({ jobId, login = own }) =>
        locateJob(options, login, jobId),
      );
    },

    cancel: (job) => cancelJob(slurmrestd, job),

    readAccounting: (since) => listAccounted(slurmrestd, since),

    // slurmrestd cannot serve files. A job sends its results to the address in its order.
    listFiles: async () => [],
    async openFile() {
      throw new RemoteFileNotFoundError();
    },

    async checkHealth() {
      const answer = await slurmrestd.call({ method: 'GET', path: '/ping' });
      if (!isSuccess(answer)) throw reportFailure(answer, 'ping');
      const result = v.safeParse(Pings, answer.content);
      if (!result.success || !result.output.pings.some(isUp)) {
        throw new SystemUnavailableError('No Slurm controller answers.');
      }
    },
  };
}

async function handOver(
  slurmrestd: Slurmrestd,
  job: BatchJob,
  user: string,
  login?: string,
): Promise<string> {
  const answer = await slurmrestd.call({
    method: 'POST',
    path: '/job/submit',
    body: ({ version }) => version.buildBody(job),
    login,
  });
  // A job that is held or waits for its partition exists, although the answer lists errors.
  const result = v.safeParse(Submitted, answer.content);
  if (isSuccess(answer) && result.success) return String(result.output.job_id);
  throw judgeRefusal(answer, { ...job, user, isMapped: login !== undefined });
}

/** Sends no signal, because a signal reaches only the steps and the batch script goes on. */
async function cancelJob(slurmrestd: Slurmrestd, { handle, login }: SubmittedJob): Promise<void> {
  const path = `/job/${encodeURIComponent(handle)}`;
  const answer = await slurmrestd.call({ method: 'DELETE', path, login });
  if (isUnknownJob(answer) || hasCode(answer, alreadyDone)) return;
  if (!isSuccess(answer) || (answer.errors ?? []).length > 0) {
    throw reportFailure(answer, 'cancel');
  }
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

const Ping = v.object({
  ping: v.optional(v.string()),
  pinged: v.optional(v.string()),
  responding: v.optional(v.boolean()),
});
const Pings = v.object({ pings: v.array(Ping) });

/** Reads `ping` up to about 0.0.39, then `pinged`, then also `responding`. */
function isUp({ ping, pinged, responding }: v.InferOutput<typeof Ping>): boolean {
  return responding ?? (ping ?? pinged) === 'UP';
}

function locateJobs({ workDirectory }: SlurmOptions, user: string): string {
  return workDirectory.replaceAll('{account}', user);
}

function locateJob(options: SlurmOptions, user: string, jobId: JobId): string {
  return `${locateJobs(options, user).replace(/\/$/, '')}/${jobId}`;
}

function describeJob(order: JobOrder, options: SlurmOptions, user: string): BatchJob {
  const { partition, account } = options;
  const workDirectory = locateJobs(options, user);
  // Slurm stores C strings, so the script would silently end at the NUL.
  if (order.program.includes('\0'))
    throw new JobRefusedError('The command contains a NUL character.');
  const directory = locateJob(options, user, order.jobId);
  const { resultsAddress, outputAddress } = order;
  const minutes = roundUp(order.hours * 60);
  const limit = limitOf(minutes);
  return {
    name: order.jobId,
    script: buildScript({
      command: order.program,
      directory,
      ...limit,
      ...(order.input && { inputAddress: order.input.address }),
      ...(resultsAddress !== undefined && { resultsAddress }),
      ...(options.liveOutput !== false && outputAddress !== undefined && { outputAddress }),
      ...(options.keepsDirectories && { keepsDirectory: true }),
    }),
    partition,
    ...(account !== undefined && { account }),
    nodes: order.nodes,
    coresPerNode: order.coresPerNode,
    minutes,
    warningSeconds: limit.reserveSeconds,
    // It must exist: Slurm runs a job without its directory in /tmp, if at all.
    directory: workDirectory,
    logFile: `${directory}.log`,
  };
}

/**
 * Checks that Slurm accepted a job for its account. Slurm also accepts jobs of unknown accounts, and
 * keeps them for ever as jobs of `nobody`.
 */
async function runsAsAccount(slurmrestd: Slurmrestd, job: SubmittedJob): Promise<boolean> {
  const { jobs } = await readQueued(slurmrestd, job);
  return jobs.every(({ user }) => user === job.login);
}
