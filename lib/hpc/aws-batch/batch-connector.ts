import type { Connector, OpenKind } from '../connector.ts';
import { RemoteFileNotFoundError } from '../errors.ts';
import { imageSiteOf } from '../script/choose-image.ts';
import { type BatchApi, openBatchApi } from './batch-api.ts';
import { checkQueue } from './check-queue.ts';
import { isClientException } from './explain-failure.ts';
import { findByTag } from './find-by-tag.ts';
import { lookUpJobs } from './look-up-jobs.ts';
import { type BatchSite, queuesOf, submitArray, submitJob } from './submit-jobs.ts';

export interface BatchOptions extends BatchSite {
  readonly pollFloorSeconds?: number | undefined;
  readonly listLagSeconds?: number;
  readonly now?: () => Date;
}

/**
 * AWS does not say how far ListJobs lags behind SubmitJob. A list that lags further costs the start
 * of a second container, which ends before it runs the command.
 */
const defaultListLagSeconds = 60;

export const open: OpenKind<'batch'> = (settings, { system, batchPlace }) => {
  const { queue = batchPlace?.queue, jobDefinition: definition = batchPlace?.definition } =
    settings;
  if (queue === undefined || definition === undefined) {
    throw new Error(
      `No job queue is known for ${system.name}. Name "queue" and "jobDefinition" in the catalog, or deploy again to create them.`,
    );
  }
  const { classes } = system;
  return createBatchConnector({ ...settings, ...imageSiteOf(system), queue, definition, classes });
};

/** Containers on Fargate, run by AWS Batch. */
export function createBatchConnector(
  options: BatchOptions,
  api: BatchApi = openBatchApi(),
): Connector {
  const { queue, now = () => new Date() } = options;
  return {
    pollFloorSeconds: options.pollFloorSeconds ?? 30,
    // Ten calls, or one for an array whose tasks are all in the same stage.
    batchSize: 1000,
    listLagSeconds: options.listLagSeconds ?? defaultListLagSeconds,

    submit: (order) => submitJob(api, options, order),

    submitArray: (orders, again) => submitArray(api, options, orders, again),

    findByTag: (tag) => findByTag(api, queuesOf(options), tag),

    lookUp: (jobs) => lookUpJobs(api, jobs, now()),

    async cancel({ handle }) {
      try {
        await api.terminateJob(handle, 'The job was cancelled in Slipway.');
      } catch (error) {
        // AWS Batch has forgotten the job.
        if (!isClientException(error)) throw error;
      }
    },

    // AWS Batch keeps no files. A job sends its results to the address in its script.
    listFiles: async () => [],
    async openFile() {
      throw new RemoteFileNotFoundError();
    },

    checkHealth: () => checkQueue(api, queue),
  };
}
