import * as z from 'zod';
import { type Charging, writeNodeTime, writeRest } from '../../../format/amounts/amounts.ts';
import type { StageOf } from '../../../format/jobs/describe-stage.ts';
import { writeShortId } from '../../../format/jobs/write-short-id.ts';
import { writeDuration } from '../../../format/times/duration.ts';
import type { Batch, Job, Slipway } from '../../../index.ts';
import { viewBatch, writeCounts, writeShare } from '../../session/batch-view.ts';
import { readCharging, readUse } from '../../session/find.ts';
import { writeStage } from '../../session/job-view.ts';
import { cleanText } from '../../terminal/text.ts';
import type { Budget } from './budget.ts';

/** The input of tools about one job. */
export const JobInput = z.strictObject({
  job: z.string().min(1).describe('job id, or the start of it'),
});

/** An amount of quota time, exact and in words. */
export const TimeAnswer = z.object({ seconds: z.number(), text: z.string() });

export type TimeAnswer = z.infer<typeof TimeAnswer>;

export function presentTime(seconds: number, charging: Charging): TimeAnswer {
  return { seconds, text: writeNodeTime(seconds, charging) };
}

/** Presents the remaining time, never rounded up. */
export function presentRest(seconds: number, charging: Charging): TimeAnswer {
  return { seconds, text: writeRest(seconds, charging) };
}

/** How much of its reserved time an ended job used and returned. */
export const UseAnswer = z.object({ used: TimeAnswer, returned: TimeAnswer });

export type UseAnswer = z.infer<typeof UseAnswer>;

/** Returns the time that a job used, or null while it has not ended. */
export async function presentUse(client: Slipway, job: Job): Promise<UseAnswer | null> {
  if (!job.terminal_stage) return null;
  const [use, chargingOf] = await Promise.all([readUse(client, job), readCharging(client)]);
  const charging = chargingOf(job.project_hpc);
  return (
    use && {
      used: presentTime(use.used, charging),
      returned: presentTime(use.returned, charging),
    }
  );
}

export function writeUse(use: UseAnswer | null): string[] {
  return use ? [`It used ${use.used.text}; ${use.returned.text} went back to the quota.`] : [];
}

/** The time that jobs of this session may reserve without asking the user. */
export const BudgetAnswer = z.object({ whole: TimeAnswer, left: TimeAnswer });

export type BudgetAnswer = z.infer<typeof BudgetAnswer>;

export function presentBudget(budget: Budget, charging: Charging): BudgetAnswer {
  return {
    whole: presentTime(budget.whole, charging),
    left: presentRest(budget.left(), charging),
  };
}

export const JobAnswer = z.object({
  job_id: z.string(),
  title: z.string(),
  hpc: z.string(),
  project: z.string(),
  stage: z.string().describe('in the words of its system'),
  meaning: z
    .enum([
      'waiting',
      'starting',
      'running',
      'finishing',
      'done',
      'failed',
      'cancelled',
      'deleted',
      'unknown',
    ])
    .describe('the same on all systems'),
  ended: z.boolean(),
  submitted_at: z.string(),
  ended_at: z.string().nullable(),
  granted_seconds: z.number().describe('how long it may run'),
});

export type JobAnswer = z.infer<typeof JobAnswer>;

export function presentJob(job: Job, stageOf: StageOf): JobAnswer {
  return {
    job_id: job.job_id,
    title: job.title,
    hpc: job.project_hpc.toLowerCase(),
    project: job.project_name,
    stage: job.stage,
    meaning: stageOf(job).meaning,
    ended: job.terminal_stage,
    submitted_at: job.init_date,
    ended_at: job.end_date,
    granted_seconds: Math.round(job.runtime * 3600),
  };
}

/** `● running  AF17D39A  first  (hpc_one / proj_hpc_one_01, 30 min)` */
export function writeJob(job: Job, stageOf: StageOf): string {
  const place = `${job.project_hpc.toLowerCase()} / ${job.project_name}`;
  const granted = writeDuration(job.runtime * 3600);
  const title = cleanText(job.title || '(no title)');
  return `${writeStage(stageOf(job))}  ${writeShortId(job.job_id)}  ${title}  (${place}, ${granted})`;
}

export const BatchAnswer = z.object({
  batch_id: z.string(),
  title: z.string(),
  hpc: z.string(),
  project: z.string(),
  count: z.number(),
  counts: z.object({
    waiting: z.number(),
    running: z.number(),
    done: z.number(),
    failed: z.number(),
    cancelled: z.number(),
  }),
  ended: z.boolean(),
  submitted_at: z.string(),
  ended_at: z.string().nullable(),
});

export function presentBatch(batch: Batch): z.infer<typeof BatchAnswer> {
  const { batch_id, title, count, counts, init_date, end_date } = batch;
  return {
    batch_id,
    title,
    hpc: batch.project_hpc.toLowerCase(),
    project: batch.project_name,
    count,
    counts,
    ended: end_date !== null,
    submitted_at: init_date,
    ended_at: end_date,
  };
}

export function writeBatch(batch: Batch): string {
  const title = cleanText(batch.title || '(no title)');
  return `${writeStage(viewBatch(batch))}  ${writeShortId(batch.batch_id)}  ${title}  ${writeShare(batch)}  ${writeCounts(batch)}`;
}
