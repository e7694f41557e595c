import { shellOf } from '#lib/catalog/hpc-system.ts';
import { openSlurmBySsh, type SshWayOptions } from '#lib/hpc/slurm/slurm-by-ssh.ts';
import type { Connector, OpenKind } from '../connector.ts';
import { RemoteFileNotFoundError } from '../errors.ts';
import { cancelJob } from './cancel-job.ts';
import { findByTag } from './find-by-tag.ts';
import { listAccounted } from './list-accounted.ts';
import { lookUpJobs } from './look-up-jobs.ts';
import { createMaintenance } from './maintenance.ts';
import { openSlurmrestd, type SlurmrestdOptions } from './slurmrestd.ts';
import { locateJob, rehearseJob, type SlurmSite, submitArray, submitJob } from './submit-jobs.ts';

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
    shell: shellOf(system),
    credentials: openCredentials(),
  });
};

/** A Slurm cluster, behind its slurmrestd or behind ssh. */
export function createSlurmConnector(options: SlurmOptions): Connector {
  const slurm = 'reach' in options ? openSlurmBySsh(options) : openSlurmrestd(options);
  const maintenance = createMaintenance(slurm);
  return {
    pollFloorSeconds: options.pollFloorSeconds ?? 30,
    batchSize: options.batchSize ?? 500,

    submit: (order) => submitJob(slurm, options, order),

    submitArray: (orders, again) => submitArray(slurm, options, orders, again),

    rehearse: (order) => rehearseJob(slurm, options, order),

    findByTag: (tag) => findByTag(slurm, tag),

    async lookUp(jobs) {
      const own = await slurm.readUser();
      const seen = await lookUpJobs(slurm, jobs, ({ jobId, login = own }) =>
        locateJob(options, login, jobId),
      );
      return maintenance.explain(seen);
    },

    cancel: (job) => cancelJob(slurm, job),

    ...(slurm.listReservations && { readMaintenance: maintenance.read }),

    readAccounting: (since) => listAccounted(slurm, options, since),

    // A job sends its results to the address in its order.
    listFiles: async () => [],
    async openFile() {
      throw new RemoteFileNotFoundError();
    },

    checkHealth: () => slurm.checkHealth(),
  };
}
