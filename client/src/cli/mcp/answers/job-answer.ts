import * as z from 'zod';
import { describeStage } from '../../../format/describe-stage.ts';
import { writeDuration } from '../../../format/write-duration.ts';
import { writeShortId } from '../../../format/write-short-id.ts';
import type { Job } from '../../../index.ts';
import { writeStage } from '../../jobs/list/job-columns.ts';
import { cleanText } from '../../screen/clean-text.ts';

export const JobAnswer = z.object({
  job_id: z.string(),
  title: z.string(),
  hpc: z.string(),
  project: z.string(),
  stage: z.string().describe('in the word of its system'),
  meaning: z
    .enum(['waiting', 'starting', 'running', 'finishing', 'done', 'failed', 'cancelled'])
    .describe('what that stage means'),
  ended: z.boolean(),
  submitted_at: z.string(),
  ended_at: z.string().nullable(),
  granted_seconds: z.number().describe('how long it may run'),
});

export type JobAnswer = z.infer<typeof JobAnswer>;

export function presentJob(job: Job): JobAnswer {
  return {
    job_id: job.job_id,
    title: job.title,
    hpc: job.project_hpc.toLowerCase(),
    project: job.project_name,
    stage: job.stage,
    meaning: describeStage(job).meaning,
    ended: job.terminal_stage,
    submitted_at: job.init_date,
    ended_at: job.end_date,
    granted_seconds: Math.round(job.runtime * 3600),
  };
}

/** `● running  AF17D39A  first  (hpc_one / proj_hpc_one_01, 30 min)` */
export function writeJob(job: Job): string {
  const place = `${job.project_hpc.toLowerCase()} / ${job.project_name}`;
  const granted = writeDuration(job.runtime * 3600);
  const title = cleanText(job.title || '(no title)');
  return `${writeStage({ job })}  ${writeShortId(job.job_id)}  ${title}  (${place}, ${granted})`;
}
