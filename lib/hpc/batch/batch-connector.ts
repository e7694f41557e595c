import type { JobDetail, ListJobsCommandOutput } from '@aws-sdk/client-batch';
import { chooseSize } from '#lib/catalog/kinds/fargate.ts';
import { roundUp } from '#lib/time/round-up.ts';
import type { BatchPlace, Connector, JobOrder, Observation, OpenKind } from '../connector.ts';
import { JobRefusedError, RemoteFileNotFoundError, SystemUnavailableError } from '../errors.ts';
import { type BatchApi, openBatchApi } from './batch-api.ts';
import { observeJob } from './observe-job.ts';

/** Where and how the jobs of a system run on AWS Batch. */
export interface BatchSite extends BatchPlace {
  readonly memoryPerCore?: number | undefined;
  readonly spot?: boolean | undefined;
  readonly liveOutput?: boolean | undefined;
}

export interface BatchOptions extends BatchSite {
  readonly pollFloorSeconds?: number | undefined;
}

export const open: OpenKind<'batch'> = (settings, { system, batchPlace }) => {
  const { queue = batchPlace?.queue, jobDefinition: definition = batchPlace?.definition } =
    settings;
  if (queue === undefined || definition === undefined) {
    throw new Error(
      `No job queue is known for ${system.name}. Name "queue" and "jobDefinition" in the catalog, or deploy again to create them.`,
    );
  }
  return createBatchConnector({ ...settings, queue, definition });
};

/** Containers on Fargate, run by AWS Batch. */
export function createBatchConnector(
  site: BatchOptions,
  api: BatchApi = openBatchApi(),
): Connector {
  return {
    pollFloorSeconds: site.pollFloorSeconds ?? 30,
    // DescribeJobs takes no more.
    batchSize: 100,

    submit: (order) => submitJob(api, site, order),

    async findByTag({ jobId }) {
      const filters = [{ name: 'JOB_NAME', values: [jobId] }];
      let nextToken: string | undefined;
      do {
        const { jobSummaryList = [], nextToken: next }: ListJobsCommandOutput = await api.listJobs({
          jobQueue: site.queue,
          filters,
          nextToken,
        });
        const found = jobSummaryList.find(({ jobName }) => jobName === jobId);
        if (found?.jobId !== undefined) return found.jobId;
        nextToken = next;
      } while (nextToken !== undefined);
      return undefined;
    },

    async lookUp(jobs) {
      if (jobs.length === 0) return new Map();
      const { jobs: details = [] } = await api.describeJobs(jobs.map(({ handle }) => handle));
      const byId = new Map(details.map((detail) => [detail.jobId, detail]));
      return new Map(
        jobs.flatMap(({ jobId, handle }) => {
          const observation = observe(byId.get(handle));
          return observation ? [[jobId, observation] as const] : [];
        }),
      );
    },

    async cancel({ handle }) {
      await api.terminateJob(handle, 'The job was cancelled.');
    },

    // AWS Batch keeps no files. A job sends its results to the address in its script.
    listFiles: async () => [],
    async openFile() {
      throw new RemoteFileNotFoundError();
    },

    async checkHealth() {
      const { jobQueues = [] } = await api.describeJobQueue(site.queue);
      const [queue] = jobQueues;
      if (queue?.state === 'ENABLED' && queue.status === 'VALID') return;
      const said = queue
        ? `is ${queue.state} and ${queue.status}: ${queue.statusReason ?? 'no reason is given'}`
        : 'does not exist';
      throw new SystemUnavailableError(`The job queue ${site.queue} ${said}.`);
    },
  };
}

function observe(detail: JobDetail | undefined): Observation | undefined {
  return detail ? observeJob(detail) : { state: 'unknown' };
}

const mebibytesPerGibibyte = 1024;

async function submitJob(api: BatchApi, site: BatchSite, order: JobOrder): Promise<string> {
  const size = chooseSize(order.coresPerNode, site.memoryPerCore);
  if (!size) throw new JobRefusedError('No container of Fargate has as many cores.');
  const { jobId } = await api.submitJob({
    jobName: order.jobId,
    jobQueue: site.queue,
    jobDefinition: site.definition,
    timeout: { attemptDurationSeconds: roundUp(order.hours * 3600) },
    retryStrategy: { attempts: 1 },
    containerOverrides: {
      resourceRequirements: [
        { type: 'VCPU', value: String(size.cores) },
        { type: 'MEMORY', value: String(size.memoryGigabytes * mebibytesPerGibibyte) },
      ],
    },
  });
  if (jobId === undefined) throw new SystemUnavailableError('submit: The answer has no job id.');
  return jobId;
}
