import * as v from 'valibot';
import { shellOf } from '#lib/catalog/hpc-system.ts';
import type { Connector, OpenKind } from '../connector.ts';
import { RemoteFileNotFoundError, SystemUnavailableError } from '../errors.ts';
import { cancelJob } from './cancel-job.ts';
import { findByTag } from './find-by-tag.ts';
import { reportFailure } from './judge-refusal.ts';
import { listAccounted } from './list-accounted.ts';
import { lookUpJobs } from './look-up-jobs.ts';
import { createMaintenance } from './maintenance.ts';
import { isSuccess } from './read-answer.ts';
import { openSlurmrestd, type SlurmrestdOptions } from './slurmrestd.ts';
import { locateJob, rehearseJob, type SlurmSite, submitArray, submitJob } from './submit-jobs.ts';

export interface SlurmOptions extends SlurmrestdOptions, SlurmSite {
  readonly pollFloorSeconds?: number;
  readonly batchSize?: number;
}

export const open: OpenKind<'slurm'> = (settings, { system, openCredentials }) =>
  createSlurmConnector({
    ...settings,
    ...(system.classes && { classes: system.classes }),
    shell: shellOf(system),
    credentials: openCredentials(),
  });

/** A Slurm cluster behind its slurmrestd, versions 0.0.37 to 0.0.43 of its interface. */
export function createSlurmConnector(options: SlurmOptions): Connector {
  const slurmrestd = openSlurmrestd(options);
  const maintenance = createMaintenance(slurmrestd);
  return {
    pollFloorSeconds: options.pollFloorSeconds ?? 30,
    batchSize: options.batchSize ?? 500,

    submit: (order) => submitJob(slurmrestd, options, order),

    submitArray: (orders, again) => submitArray(slurmrestd, options, orders, again),

    rehearse: (order) => rehearseJob(slurmrestd, options, order),

    findByTag: (tag) => findByTag(slurmrestd, tag),

    async lookUp(jobs) {
      const own = await slurmrestd.readUser();
      const seen = await lookUpJobs(slurmrestd, jobs, ({ jobId, login = own }) =>
        locateJob(options, login, jobId),
      );
      return maintenance.explain(seen);
    },

    cancel: (job) => cancelJob(slurmrestd, job),

    readMaintenance: maintenance.read,

    readAccounting: (since) => listAccounted(slurmrestd, options, since),

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
