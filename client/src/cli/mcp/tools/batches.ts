import * as z from 'zod';
import { writeCount } from '../../../format/write-number.ts';
import { writeShortId } from '../../../format/write-short-id.ts';
import { type Batch, type BatchEstimate, placeOf } from '../../../index.ts';
import { viewBatch, writeCounts, writeShare } from '../../session/batch-view.ts';
import { findBatch, readCharging } from '../../session/find.ts';
import { readStages, writeStage } from '../../session/job-view.ts';
import { take } from '../../session/session.ts';
import { CannotDo, outcome } from '../../terminal/outcome.ts';
import { cleanText } from '../../terminal/text.ts';
import {
  BudgetAnswer,
  JobAnswer,
  presentJob,
  presentTime,
  TimeAnswer,
  writeJob,
} from './answers.ts';
import { readSubmission, SubmissionInput, withInput } from './input.ts';
import { presentEstimate, submitOnBudget } from './spending.ts';
import { defineTool, hints } from './tool-set.ts';

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

export const submitBatchTool = defineTool({
  name: 'submit_batch',
  title: 'Submit a batch of jobs',
  description:
    'Submits many jobs as one batch, all or none. Takes the parameters of submit, and either count or table; {index} and {column} in command and title stand for the values of each job. The price of all jobs counts against the budget of this session; beyond it the user has to agree. Each call creates another batch. If an error says that the batch may have been submitted, check with batches before you submit again.',
  input: SubmitInput,
  outputSchema: z.object({
    batch: BatchAnswer,
    price: TimeAnswer.describe('time reserved for all jobs'),
    quota_left: TimeAnswer,
    budget: BudgetAnswer,
  }),
  annotations: hints.submits,
  async run(asked, { client, signal, tools, folder }) {
    const submission = readBatchSubmission(asked, signal);
    return withInput(asked, folder, async (input) => {
      const work = {
        kind: 'batch',
        submission: { ...submission, ...input },
        estimate: client.estimateBatch,
        describe: ({ count }: BatchEstimate) => [
          `How many: ${writeCount(count, 'job')} in one batch`,
        ],
        submit: client.submitBatch,
      } as const;
      const { made, spent, said } = await submitOnBudget(tools, work, signal);
      return {
        data: { batch: presentBatch(made), ...spent },
        lines: [
          `Submitted: ${writeBatch(made)}`,
          said,
          `Follow it: batch with batch ${writeShortId(made.batch_id)}.`,
        ],
      };
    });
  },
});

function readBatchSubmission(asked: z.infer<typeof SubmitInput>, signal: AbortSignal) {
  const { count, table, max_running: maxRunning } = asked;
  if ((count === undefined) === (table === undefined)) {
    throw new CannotDo('Give either count or table.');
  }
  return { ...readSubmission(asked, signal), count, table, maxRunning };
}

export const estimateBatchTool = defineTool({
  name: 'estimate_batch',
  title: 'Estimate the price of a batch',
  description:
    'Estimates how much quota all jobs of a batch would reserve, checks every row, and shows the first commands, without submitting anything. Takes the same parameters as submit_batch.',
  input: SubmitInput,
  outputSchema: z.object({
    count: z.number().describe('number of jobs'),
    price: TimeAnswer.describe('time that would be reserved for all jobs'),
    first_commands: z.array(z.string()).describe('what the first jobs would run'),
    quota_left: TimeAnswer.describe('quota remaining after submission'),
    within_budget: z.boolean().describe('if false, the user has to agree'),
    budget: BudgetAnswer,
  }),
  annotations: hints.reads,
  async run(asked, { client, signal, folder, budget }) {
    const submission = readBatchSubmission(asked, signal);
    const estimate = await withInput(asked, folder, (input) =>
      client.estimateBatch({ ...submission, ...input }),
    );
    const { count } = estimate;
    const first = estimate.preview.map(({ program }) => program);
    const { data, said } = await presentEstimate({ client, budget }, submission.hpc, estimate);
    return {
      data: { ...data, count, first_commands: first },
      lines: [
        `${writeCount(count, 'job')} would reserve ${data.price.text}. ${data.quota_left.text} would be left of the quota.`,
        said,
        ...first.map((command) => cleanText(command)),
      ],
    };
  },
});

export const batchesTool = defineTool({
  name: 'batches',
  title: 'Batches',
  description: 'Lists the batches of the user, newest first.',
  input: z.strictObject({
    hpc: z.string().optional().describe('only batches on this HPC system'),
    limit: z.int().min(1).max(100).default(20),
  }),
  outputSchema: z.object({
    batches: z.array(BatchAnswer),
    more: z.boolean().describe('whether there are older batches'),
  }),
  annotations: hints.reads,
  async run({ hpc, limit }, { client, signal }) {
    const asked = { hpc: hpc?.toLowerCase(), limit: limit + 1 };
    const found = await take(client.listBatches(asked, { signal }), limit + 1);
    const batches = found.slice(0, limit);
    const more = found.length > limit;
    return {
      data: { batches: batches.map(presentBatch), more },
      lines: [
        ...(batches.length === 0 ? ['There are no batches.'] : batches.map(writeBatch)),
        ...(more ? [`These are the newest ${limit}.`] : []),
      ],
    };
  },
});

const BatchInput = z.strictObject({
  batch: z.string().min(1).describe('batch id, or the start of it'),
});

export const cancelBatchTool = defineTool({
  name: 'cancel_batch',
  title: 'Cancel a batch',
  description:
    'Cancels all active jobs of a batch. What never began is given back at once, the other jobs are cancelled in the background. Ended jobs are not changed.',
  input: BatchInput,
  outputSchema: z.object({ batch: BatchAnswer }),
  annotations: hints.cancels,
  async run(asked, { client }) {
    const batch = await findBatch(client, asked.batch);
    if (batch.end_date !== null) {
      throw new CannotDo(`${writeShortId(batch.batch_id)} has ended already.`, {
        outcome: outcome.refused,
        next: 'There is nothing to cancel.',
      });
    }
    const cancelled = await client.deleteBatch({ ...placeOf(batch), only: 'cancel' });
    return { data: { batch: presentBatch(cancelled) }, lines: [writeBatch(cancelled)] };
  },
});

/** Enough to see what went wrong. */
const mostFailed = 10;

export const batchTool = defineTool({
  name: 'batch',
  title: 'One batch',
  description:
    'Shows a batch: how many of its jobs wait, run, are done, failed or were cancelled, and its first failed jobs.',
  input: BatchInput,
  outputSchema: z.object({
    batch: BatchAnswer,
    used: TimeAnswer.describe('time that its ended jobs used'),
    failed: z.array(JobAnswer).describe(`the first ${mostFailed} failed jobs`),
  }),
  annotations: hints.reads,
  async run(asked, { client }) {
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
  },
});
