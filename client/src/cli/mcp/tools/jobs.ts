import * as z from 'zod';
import { writeShortId } from '../../../format/write-short-id.ts';
import { placeOf, type Timeline } from '../../../index.ts';
import { findJob } from '../../session/find.ts';
import { readStages } from '../../session/job-view.ts';
import { CannotDo, outcome } from '../../terminal/outcome.ts';
import { cleanText } from '../../terminal/text.ts';
import {
  answer,
  JobAnswer,
  JobInput,
  presentJob,
  presentUse,
  UseAnswer,
  writeJob,
  writeUse,
} from './answers.ts';
import { hints, type ToolSet } from './tool-set.ts';

const JobsInput = z.strictObject({
  hpc: z.string().optional().describe('only jobs on this HPC system'),
  ended: z.boolean().optional().describe('true: only ended jobs; false: only active jobs'),
  failed: z.boolean().optional().describe('true: only failed jobs'),
  title: z.string().optional().describe('only jobs whose title contains this text'),
  limit: z.int().min(1).max(100).default(20),
});

const JobsOutput = z.object({
  jobs: z.array(JobAnswer),
  more: z.boolean().describe('whether there are older jobs'),
});

export function addJobs({ server, connect }: ToolSet): void {
  server.registerTool(
    'jobs',
    {
      title: 'Jobs',
      description: 'Lists the jobs of the user, newest first.',
      inputSchema: JobsInput,
      outputSchema: JobsOutput,
      annotations: hints.reads,
    },
    ({ hpc, ended, failed, title, limit }, { signal }) =>
      answer<typeof JobsOutput>(async () => {
        const filter = { hpc: hpc?.toLowerCase(), terminal: ended, failed, title };
        const client = connect();
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
      }),
  );
}

const JobOutput = z.object({
  job: JobAnswer,
  reason: z.string().nullable().describe('why the job waits or failed, as its system puts it'),
  stages: z.array(z.object({ stage: z.string(), since: z.string() })),
  tries: z
    .array(z.object({ at: z.string(), accepted: z.boolean(), reason: z.string().nullable() }))
    .describe('attempts to hand the job over to its system'),
  use: UseAnswer.nullable(),
});

export function addJob({ server, connect }: ToolSet): void {
  server.registerTool(
    'job',
    {
      title: 'One job',
      description:
        'Shows the state of a job: when it reached each stage, why it waits or failed, and how much time it used.',
      inputSchema: JobInput,
      outputSchema: JobOutput,
      annotations: hints.reads,
    },
    (asked) =>
      answer<typeof JobOutput>(async () => {
        const client = connect();
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
      }),
  );
}

function writeTimeline({ stages, reason }: Timeline): string[] {
  return [
    ...stages.map(({ stage, since }) => `${since}  ${stage}`),
    ...(reason === null ? [] : [cleanText(reason)]),
  ];
}

const CancelOutput = z.object({ job: JobAnswer, use: UseAnswer.nullable() });

export function addCancel({ server, connect }: ToolSet): void {
  server.registerTool(
    'cancel',
    {
      title: 'Cancel a job',
      description:
        'Cancels a job. The time that it has not used goes back to the quota. Ended jobs are not changed.',
      inputSchema: JobInput,
      outputSchema: CancelOutput,
      annotations: hints.cancels,
    },
    (asked) =>
      answer<typeof CancelOutput>(async () => {
        const client = connect();
        const job = await findJob(client, asked.job);
        if (job.terminal_stage && job.stage !== 'CANCELED') {
          throw new CannotDo(`${writeShortId(job.job_id)} has ended already: ${job.stage}.`, {
            outcome: outcome.refused,
            next: 'There is nothing to cancel.',
          });
        }
        const cancelled = await client.deleteJob({ ...placeOf(job), only: 'cancel' });
        const [use, stageOf] = await Promise.all([
          presentUse(client, cancelled),
          readStages(client),
        ]);
        return {
          data: { job: presentJob(cancelled, stageOf), use },
          lines: [writeJob(cancelled, stageOf), ...writeUse(use)],
        };
      }),
  );
}
