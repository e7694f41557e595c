import { randomUUID } from 'node:crypto';
import type { Connector, JobOrder, Observation, SubmittedJob } from '#lib/hpc/connector.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { pollUntil } from './poll-until.ts';

export function orderJob(program: string, more: Partial<JobOrder> = {}): JobOrder {
  const job = {
    jobId: jobId(randomUUID().toUpperCase()),
    owner: userId('306328'),
    title: 'a title',
    extras: {},
  };
  return { ...job, program, nodes: 1, coresPerNode: 1, hours: 0.1, ...more };
}

/** Hands jobs over by a connector, which is opened later, and observes them. */
export function jobsOn(open: () => Connector) {
  const observe = async (job: SubmittedJob): Promise<Observation | undefined> =>
    (await open().lookUp([job])).get(job.jobId);
  return {
    observe,
    async submit(order: JobOrder): Promise<SubmittedJob> {
      return { jobId: order.jobId, owner: order.owner, handle: await open().submit(order) };
    },
    waitForEnd: (job: SubmittedJob, seconds = 40) =>
      pollUntil('the job has ended', seconds, async () => {
        const observation = await observe(job);
        return observation?.state === 'ended' ? observation : undefined;
      }),
  };
}
