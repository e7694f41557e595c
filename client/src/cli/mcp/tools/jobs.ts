import * as z from 'zod';
import { writeShortId } from '../../../format/jobs/write-short-id.ts';
import { type Job, placeOf, type Timeline } from '../../../index.ts';
import type { SlipwayOnNode } from '../../../node/index.ts';
import { findJob, findWork, isBatch } from '../../session/find.ts';
import { readStages } from '../../session/job-view.ts';
import { CannotDo, outcome } from '../../terminal/outcome.ts';
import { cleanText } from '../../terminal/text.ts';
import {
  JobAnswer,
  JobInput,
  presentJob,
  presentUse,
  UseAnswer,
  writeBatch,
  writeJob,
  writeUse,
} from './answers.ts';
import { defineTool, hints, type ToolCall, tellProgress } from './tool-set.ts';

export const jobsTool = defineTool({
  name: 'jobs',
  title: 'Jobs',
  description: 'Lists the jobs of the user, newest first.',
  input: z.strictObject({
    hpc: z.string().optional().describe('only jobs on this HPC system'),
    ended: z.boolean().optional().describe('true: only ended jobs; false: only active jobs'),
    failed: z.boolean().optional().describe('true: only failed jobs'),
    title: z.string().optional().describe('only jobs whose title contains this text'),
    limit: z.int().min(1).max(100).default(20),
  }),
  outputSchema: z.object({
    jobs: z.array(JobAnswer),
    more: z.boolean().describe('whether there are older jobs'),
  }),
  annotations: hints.reads,
  async run({ hpc, ended, failed, title, limit }, { client, signal }) {
    const filter = { hpc: hpc?.toLowerCase(), terminal: ended, failed, title };
    const [found, stageOf] = await Promise.all([
      client.listJobs({ ...filter, order: 'desc', limit: limit + 1 }, { signal }),
      readStages(client),
    ]);
    const jobs = found.slice(0, limit);
    const more = found.length > limit;
    return {
      data: { jobs: jobs.map((job) => presentJob(job, stageOf)), more },
      lines: [
        ...(jobs.length === 0 ? ['No jobs match.'] : jobs.map((job) => writeJob(job, stageOf))),
        ...(more ? [`These are the newest ${limit}.`] : []),
      ],
    };
  },
});

export const jobTool = defineTool({
  name: 'job',
  title: 'One job',
  description:
    'Shows the state of a job: when it reached each stage, why it waits or failed, and how much time it used.',
  input: JobInput,
  outputSchema: z.object({
    job: JobAnswer,
    reason: z.string().nullable().describe('why it waits or failed'),
    stages: z.array(z.object({ stage: z.string(), since: z.string() })),
    tries: z
      .array(z.object({ at: z.string(), accepted: z.boolean(), reason: z.string().nullable() }))
      .describe('attempts to hand the job over to its system'),
    use: UseAnswer.nullable(),
  }),
  annotations: hints.reads,
  async run(asked, { client }) {
    const job = await findJob(client, asked.job);
    const [timeline, use, stageOf] = await Promise.all([
      client.getTimeline(placeOf(job)),
      presentUse(client, job),
      readStages(client),
    ]);
    const { reason, stages, tries } = timeline;
    return {
      data: { job: presentJob(job, stageOf), reason, stages, tries, use },
      lines: [writeJob(job, stageOf), ...writeTimeline(timeline), ...writeUse(use)],
    };
  },
});

function writeTimeline({ stages, reason }: Timeline): string[] {
  return [
    ...stages.map(({ stage, since }) => `${since}  ${stage}`),
    ...(reason === null ? [] : [cleanText(reason)]),
  ];
}

export const cancelTool = defineTool({
  name: 'cancel',
  title: 'Cancel a job or a batch',
  description:
    'Cancels a job, or all active jobs of a batch. The time that they have not used goes back to the quota. Ended jobs are not changed.',
  input: z.strictObject({ job: z.string().min(1).describe('id of a job or batch, or its start') }),
  outputSchema: z.object({ id: z.string(), ended: z.boolean(), use: UseAnswer.nullable() }),
  annotations: hints.cancels,
  async run(asked, { client }) {
    const work = await findWork(client, asked.job);
    if (isBatch(work)) {
      if (work.end_date !== null) throw endedAlready(work.batch_id);
      const batch = await client.deleteBatch({ ...placeOf(work), only: 'cancel' });
      return {
        data: { id: batch.batch_id, ended: batch.end_date !== null, use: null },
        lines: [writeBatch(batch)],
      };
    }
    if (work.terminal_stage && work.stage !== 'CANCELED') {
      throw endedAlready(work.job_id, `: ${work.stage}`);
    }
    const cancelled = await client.deleteJob({ ...placeOf(work), only: 'cancel' });
    const [use, stageOf] = await Promise.all([presentUse(client, cancelled), readStages(client)]);
    return {
      data: { id: cancelled.job_id, ended: cancelled.terminal_stage, use },
      lines: [writeJob(cancelled, stageOf), ...writeUse(use)],
    };
  },
});

function endedAlready(id: string, how = ''): CannotDo {
  return new CannotDo(`${writeShortId(id)} has ended already${how}.`, {
    outcome: outcome.refused,
    next: 'There is nothing to cancel.',
  });
}

/** Clients time out after a minute, so each call waits less. */
const longestSeconds = 50;

export const waitTool = defineTool({
  name: 'wait',
  title: 'Wait for a job',
  description: `Waits until a job has ended, at most ${longestSeconds} seconds. If the job is still active, returns its stage; call wait again.`,
  input: JobInput.extend({
    seconds: z
      .int()
      .min(1)
      .max(longestSeconds)
      .default(longestSeconds)
      .describe('maximum seconds to wait'),
  }),
  outputSchema: z.object({
    job: JobAnswer,
    reason: z.string().nullable().describe('why it waits or failed'),
    use: UseAnswer.nullable(),
  }),
  annotations: hints.reads,
  async run(asked, { client, call }) {
    const [found, stageOf] = await Promise.all([findJob(client, asked.job), readStages(client)]);
    const write = (seen: Job) => writeJob(seen, stageOf);
    const job = await waitAWhile(client, found, { seconds: asked.seconds, call, write });
    const [{ reason }, use] = await Promise.all([
      client.getTimeline(placeOf(job)),
      presentUse(client, job),
    ]);
    return {
      data: { job: presentJob(job, stageOf), reason, use },
      lines: [
        write(job),
        ...(reason === null ? [] : [cleanText(reason)]),
        ...writeUse(use),
        ...(job.terminal_stage ? [] : ['It has not ended yet: call wait again.']),
      ],
    };
  },
});

async function waitAWhile(
  client: SlipwayOnNode,
  job: Job,
  { seconds, call, write }: { seconds: number; call: ToolCall; write(job: Job): string },
): Promise<Job> {
  const enough = AbortSignal.timeout(seconds * 1000);
  const progress = tellProgress(call, seconds, write(job));
  try {
    return await client.waitFor(job, {
      onChange: (seen) => progress.say(write(seen)),
      signal: AbortSignal.any([enough, call.signal]),
    });
  } catch (error) {
    if (!enough.aborted) throw error;
    return await client.getJob(placeOf(job), { signal: call.signal });
  } finally {
    progress.stop();
  }
}
