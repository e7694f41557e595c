import { runsAsOwner, shellOf } from '#lib/catalog/hpc-system.ts';
import { openSlurmBySsh, type SshWayOptions } from '#lib/hpc/slurm/slurm-by-ssh.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import type {
  AccountedJob,
  Connector,
  FolderPlace,
  JobOrder,
  JobTag,
  OpenKind,
  ProjectFolders,
} from '../connector.ts';
import { JobRefusedError, RemoteFileNotFoundError } from '../errors.ts';
import { imageSiteOf } from '../script/choose-image.ts';
import { readHandle } from './array-tasks.ts';
import { sortRuns } from './ask-accounting.ts';
import { cancelJob } from './cancel-job.ts';
import { findByTag, nothingFound } from './find-by-tag.ts';
import type { JobFolder, JobFolders } from './job-folders.ts';
import { readAccountedJobs } from './job-record.ts';
import { reportFailure } from './judge-refusal.ts';
import { listQueue, lookUpJobs } from './look-up-jobs.ts';
import { createMaintenance } from './maintenance.ts';
import { describeRuns, translateStates } from './observe-job.ts';
import { hasCode, isSuccess } from './read-answer.ts';
import type { Slurm } from './slurm.ts';
import { openSlurmrestd, type SlurmrestdOptions } from './slurmrestd.ts';
import {
  chooseUser,
  locateFolder,
  locateJob,
  rehearseJob,
  type SlurmSite,
  submitArray,
  submitJob,
} from './submit-jobs.ts';

export type SlurmOptions = SlurmSite &
  (SlurmrestdOptions | SshWayOptions) & {
    readonly pollFloorSeconds?: number;
    readonly batchSize?: number;
  };

export const open: OpenKind<'slurm'> = (settings, { system, openCredentials }) => {
  const { baseUrl = '', reach, ...site } = settings;
  return createSlurmConnector({
    ...site,
    ...(reach ? { reach: reach.ssh } : { baseUrl }),
    ...(system.classes && { classes: system.classes }),
    ...imageSiteOf(system),
    ...(system.keep && { keep: system.keep, isMapped: runsAsOwner(system) }),
    shell: shellOf(system),
    credentials: openCredentials(),
  });
};

/** A Slurm cluster, behind its slurmrestd or behind ssh. */
export function createSlurmConnector(options: SlurmOptions): Connector {
  const slurm = 'reach' in options ? openSlurmBySsh(options) : openSlurmrestd(options);
  const maintenance = createMaintenance(slurm);
  const folders = options.files === 'ssh' ? slurm.folders : undefined;
  const place = async (job: JobTag): Promise<JobFolder> => ({
    path: locateJob(options, await chooseUser(slurm, job), job.jobId),
    login: job.login,
  });
  return {
    pollFloorSeconds: options.pollFloorSeconds ?? 30,
    batchSize: options.batchSize ?? 500,

    submit: (order) => withInput(folders, place, [order], () => submitJob(slurm, options, order)),

    submitArray: (orders, again) =>
      withInput(folders, place, orders, () => submitArray(slurm, options, orders, again)),

    rehearse: (order) => rehearseJob(slurm, options, order),

    findByTag: (tag) => findByTag(slurm, tag),

    async lookUp(jobs) {
      const own = await slurm.readUser();
      const locate = ({ jobId, login = own }: JobTag) => locateJob(options, login, jobId);
      const seen = await lookUpJobs(slurm, jobs, folders ? () => undefined : locate);
      return maintenance.explain(seen);
    },

    cancel: (job) => cancelJob(slurm, job),

    readMaintenance: maintenance.read,

    readAccounting: (since) => listAccounted(slurm, options, since),

    ...(folders ? keepFiles(folders, place, options) : sentFiles),

    ...(folders && options.keep && { folders: openProjectFolders(folders, options) }),

    checkHealth: () => slurm.checkHealth(),
  };
}

function openProjectFolders({ ofProjects }: JobFolders, site: SlurmSite): ProjectFolders {
  const locate = ({ project, login }: FolderPlace): JobFolder => {
    const folder = locateFolder(site, project);
    if (!folder) throw new RemoteFileNotFoundError();
    return { path: folder.path, login };
  };
  return {
    measure: async (place) => ofProjects.measure(locate(place)),
    list: async (place) => ofProjects.list(locate(place)),
    find: async (place, fileId) => ofProjects.find(locate(place), fileId),
    open: async (place, fileId) => ofProjects.open(locate(place), fileId),
    remove: async (place, fileId) => ofProjects.removeFile(locate(place), fileId),
    empty: async (place) => ofProjects.empty(locate(place)),
  };
}

type FindPlace = (job: JobTag) => Promise<JobFolder>;

type FilesOfJobs = Pick<Connector, 'listFiles' | 'findFile' | 'openFile' | 'remove'>;

/** A job sends its results to the address in its order. */
const sentFiles: FilesOfJobs = {
  listFiles: async () => [],
  async openFile() {
    throw new RemoteFileNotFoundError();
  },
};

function keepFiles(
  folders: JobFolders,
  place: FindPlace,
  { keepsDirectories = false }: SlurmSite,
): FilesOfJobs {
  return {
    listFiles: async (job) => folders.list(await place(job)),
    findFile: async (job, fileId) => folders.find(await place(job), fileId),
    openFile: async (job, fileId) => folders.open(await place(job), fileId),
    ...(!keepsDirectories && { remove: async (job) => folders.remove(await place(job)) }),
  };
}

/** Brings the input of jobs first, if they cannot fetch it. That of a job that is refused goes again. */
async function withInput<Result>(
  folders: JobFolders | undefined,
  place: FindPlace,
  orders: readonly JobOrder[],
  handOver: () => Promise<Result>,
): Promise<Result> {
  const [{ input } = {}] = orders;
  if (!folders || !input) return handOver();
  const places = await Promise.all(orders.map(place));
  await folders.putInput(places, input);
  try {
    return await handOver();
  } catch (error) {
    if (error instanceof JobRefusedError && orders.length === 1) {
      await Promise.all(places.map((each) => folders.remove(each)));
    }
    throw error;
  }
}

const aDay = 24 * 60 * 60;

/**
 * Lists the jobs in slurmdbd that ended since a moment and that the service's user may see. Returns
 * undefined if the cluster has no accounting. Asks from a day earlier, because older versions read
 * the time in the cluster's own time zone.
 */
async function listAccounted(
  slurm: Slurm,
  { cluster: named }: SlurmSite,
  since: Date,
): Promise<readonly AccountedJob[] | undefined> {
  if (!(await slurm.hasAccounting())) return undefined;
  const answer = await slurm.listAccounted(addSeconds(since, -aDay));
  if (hasCode(answer, nothingFound)) return [];
  const list = isSuccess(answer) ? readAccountedJobs(answer.content) : undefined;
  if (list === undefined) throw reportFailure(answer, 'list the accounting');
  const cluster = named ?? (await findCluster(slurm));
  const own = list.jobs.filter((record) => cluster === undefined || record.cluster === cluster);
  const byJob = Map.groupBy(own, ({ id, name }) => `${id} ${name}`);
  return [...byJob.values()].flatMap((records) => {
    const runs = sortRuns(records);
    const last = runs.at(-1);
    if (!last) return [];
    const { name, id: handle, end, states } = last;
    // After a cancel in the queue, the accounting may not have more than the run before it.
    const isOver = translateStates(states)?.state === 'ended' || states.includes('REQUEUED');
    if (!isOver || end === undefined || end * 1000 < since.getTime()) return [];
    const endedAt = new Date(end * 1000);
    return [{ name, task: readHandle(handle).task, handle, runs: describeRuns(runs), endedAt }];
  });
}

/**
 * Finds the name of the cluster, because one slurmdbd may keep the accounting of several. Older
 * versions tell it only with a job, so the result is undefined while their queue is empty.
 */
async function findCluster(slurm: Slurm): Promise<string | undefined> {
  const { jobs } = await listQueue(slurm);
  return jobs.find(({ cluster }) => cluster !== undefined)?.cluster;
}
