import * as z from 'zod';
import { writeNodeTime, writeRest } from '../../../format/amounts.ts';
import { writeCount } from '../../../format/write-number.ts';
import { writeShortId } from '../../../format/write-short-id.ts';
import type { Batch } from '../../../index.ts';
import { viewBatch, writeCounts, writeShare } from '../../session/batch-view.ts';
import { findBatch, readCharging } from '../../session/find.ts';
import { readStages, writeStage } from '../../session/job-view.ts';
import { take } from '../../session/session.ts';
import { CannotDo } from '../../terminal/outcome.ts';
import { cleanText } from '../../terminal/text.ts';
import {
  answer,
  BudgetAnswer,
  JobAnswer,
  presentBudget,
  presentJob,
  presentRest,
  presentTime,
  TimeAnswer,
  writeJob,
} from './answers.ts';
import { readSubmission, SubmissionInput, withInput } from './input.ts';
import {
  createAskUser,
  describeBudget,
  describeSubmission,
  permitSpending,
  submitOnBudget,
} from './spending.ts';
import { hints, type ToolSet } from './tool-set.ts';

const BatchAnswer = z.object({
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

function presentBatch(batch: Batch): z.infer<typeof BatchAnswer> {
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

function writeBatch(batch: Batch): string {
  const title = cleanText(batch.title || '(no title)');
  return `${writeStage(viewBatch(batch))}  ${writeShortId(batch.batch_id)}  ${title}  ${writeShare(batch)}  ${writeCounts(batch)}`;
}

const SubmitInput = SubmissionInput.extend({
  count: z
    .int()
    .min(1)
    .optional()
    .describe('number of jobs; {index} is the number of each, from 0'),
  table: z
    .string()
    .optional()
    .describe(
      'instead of count: CSV file among the input files, with a job for each row; {column} is its value',
    ),
  max_running: z.int().min(1).optional().describe('how many of the jobs run at once'),
});

const SubmitOutput = z.object({
  batch: BatchAnswer,
  price: TimeAnswer.describe('time reserved for all jobs'),
  quota_left: TimeAnswer,
  budget: BudgetAnswer,
});

export function addSubmitBatch({ server, connect, budget, folder }: ToolSet): void {
  server.registerTool(
    'submit_batch',
    {
      title: 'Submit a batch of jobs',
      description:
        'Submits many jobs as one batch, all or none. Takes the parameters of submit, and either count or table; {index} and {column} in command and title stand for the values of each job. The price of all jobs counts against the budget of this session; beyond it the user has to agree. Each call creates another batch.',
      inputSchema: SubmitInput,
      outputSchema: SubmitOutput,
      annotations: hints.submits,
    },
    (asked, { signal }) =>
      answer<typeof SubmitOutput>(async () => {
        const client = connect();
        const { count, table, max_running: maxRunning } = asked;
        if ((count === undefined) === (table === undefined)) {
          throw new CannotDo('Give either count or table.');
        }
        const submission = { ...readSubmission(asked, signal), count, table, maxRunning };
        const charging = (await readCharging(client))(submission.hpc.toUpperCase());
        return withInput(asked, folder, async (input) => {
          const whole = { ...submission, ...input };
          const price = await client.estimateBatch(whole);
          const seconds = price.held.time;
          const job = [
            `How many: ${writeCount(price.count, 'job')} in one batch`,
            ...describeSubmission(whole, price, charging),
          ];
          await permitSpending(budget, { seconds, charging, job }, createAskUser(server, signal));
          const made = await submitOnBudget(budget, seconds, () => client.submitBatch(whole));
          return {
            data: {
              batch: presentBatch(made),
              price: presentTime(seconds, charging),
              quota_left: presentRest(price.left.time, charging),
              budget: presentBudget(budget, charging),
            },
            lines: [
              `Submitted: ${writeBatch(made)}`,
              `It reserves ${writeNodeTime(seconds, charging)}; ${writeRest(price.left.time, charging)} are left of the quota. ${describeBudget(budget, charging)}`,
              `Follow it: batch with batch ${writeShortId(made.batch_id)}.`,
            ],
          };
        });
      }),
  );
}

/** Enough to see what went wrong. */
const mostFailed = 10;

const BatchInput = z.strictObject({
  batch: z.string().min(1).describe('batch id, or the start of it'),
});

const BatchOutput = z.object({
  batch: BatchAnswer,
  used: TimeAnswer.describe('time that its ended jobs used'),
  failed: z.array(JobAnswer).describe(`the first ${mostFailed} failed jobs`),
});

export function addBatch({ server, connect }: ToolSet): void {
  server.registerTool(
    'batch',
    {
      title: 'One batch',
      description:
        'Shows a batch: how many of its jobs wait, run, are done, failed or were cancelled, and its first failed jobs.',
      inputSchema: BatchInput,
      outputSchema: BatchOutput,
      annotations: hints.reads,
    },
    (asked) =>
      answer<typeof BatchOutput>(async () => {
        const client = connect();
        const batch = await findBatch(client, asked.batch);
        const filter = { failed: true, limit: mostFailed };
        const [failed, stageOf, chargingOf] = await Promise.all([
          batch.counts.failed === 0 ? [] : take(client.jobsOf(batch, filter), mostFailed),
          readStages(client),
          readCharging(client),
        ]);
        const used = presentTime(batch.used.time, chargingOf(batch.project_hpc));
        return {
          data: {
            batch: presentBatch(batch),
            used,
            failed: failed.map((job) => presentJob(job, stageOf)),
          },
          lines: [
            writeBatch(batch),
            `It used ${used.text}.`,
            ...failed.map((job) => writeJob(job, stageOf)),
          ],
        };
      }),
  );
}
