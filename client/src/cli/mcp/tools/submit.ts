import * as z from 'zod';
import { writeShortId } from '../../../format/jobs/write-short-id.ts';
import { writeCount } from '../../../format/numbers/write-number.ts';
import { writeDuration } from '../../../format/times/duration.ts';
import type { BatchEstimate, BatchSubmission, Estimate, Slipway } from '../../../index.ts';
import { findNamesInBraces } from '../../../jobs/names-in-braces.ts';
import { idOf, isBatch } from '../../session/find.ts';
import { readStages } from '../../session/job-view.ts';
import { CannotDo } from '../../terminal/outcome.ts';
import { cleanText } from '../../terminal/text.ts';
import { BudgetAnswer, TimeAnswer, writeBatch, writeJob } from './answers.ts';
import { withInput } from './input.ts';
import { describeOld } from './old-parameters.ts';
import { presentEstimate, submitOnBudget } from './spending.ts';
import { isForBatch, readSubmission, SubmissionInput } from './submission.ts';
import { defineTool, hints } from './tool-set.ts';

export const submitTool = defineTool({
  name: 'submit',
  title: 'Submit a job or a batch',
  description:
    'Submits a job, or with count or table a batch of many, all or none, and reserves the price from the quota of the user. {index} and {column} in command and title stand for the values of each job. A price beyond the budget of this session needs the consent of the user; if the user cannot be asked, it is refused. Each call submits again. If an error says that it may have been submitted, check with jobs or batches before you submit again.',
  input: SubmissionInput,
  outputSchema: z.object({
    id: z.string().describe('of the job or batch'),
    price: TimeAnswer.describe('time reserved until the end'),
    quota_left: TimeAnswer,
    budget: BudgetAnswer,
  }),
  annotations: hints.submits,
  async run(asked, { client, signal, tools, folder }) {
    const submission = await readSubmission(client, asked, signal);
    const stageOf = await readStages(client);
    return withInput(asked, folder, async (input) => {
      const whole = { ...submission, ...input };
      const { made, spent, said } = isForBatch(asked)
        ? await submitOnBudget(
            tools,
            {
              kind: 'batch',
              submission: whole,
              estimate: (wanted) => estimateBatch(client, asked, wanted),
              describe: ({ count }) => [`How many: ${writeCount(count, 'job')} in one batch`],
              submit: client.submitBatch,
            },
            signal,
          )
        : await submitOnBudget(
            tools,
            { kind: 'job', submission: whole, estimate: client.estimate, submit: client.submit },
            signal,
          );
      const id = idOf(made);
      return {
        data: { id, ...spent },
        lines: [
          `Submitted: ${isBatch(made) ? writeBatch(made) : writeJob(made, stageOf)}`,
          said,
          ...describeOld(asked),
          isBatch(made)
            ? `Follow it: batch with batch ${writeShortId(id)}.`
            : `Wait for it: wait with job ${writeShortId(id)}.`,
        ],
      };
    });
  },
});

/** Refuses mistyped names, which would otherwise be run, and charged, once for each row. */
async function estimateBatch(
  client: Slipway,
  { allow_unmatched: mayStay = false }: z.infer<typeof SubmissionInput>,
  submission: BatchSubmission,
): Promise<BatchEstimate> {
  const price = await client.estimateBatch(submission);
  const names = findNamesInBraces(price.preview).map(cleanText);
  if (mayStay || names.length === 0) return price;
  throw new CannotDo(`No column has the name ${names.join(', ')}. Nothing was submitted.`, {
    next: 'Correct it, or set allow_unmatched if it should stay as it is.',
  });
}

export const estimateTool = defineTool({
  name: 'estimate',
  title: 'Estimate a price',
  description:
    'Estimates how much quota a job or batch would reserve, checks whether it and every row would be accepted, and shows the first commands of a batch, without submitting anything. Takes the same parameters as submit.',
  input: SubmissionInput,
  outputSchema: z.object({
    price: TimeAnswer.describe('time that would be reserved until the end'),
    granted_seconds: z.number().describe('time limit of a job'),
    count: z.number(),
    first_commands: z.array(z.string()).describe('what the first jobs of a batch would run'),
    quota_left: TimeAnswer.describe('what would remain'),
    within_budget: z.boolean().describe('if false, the user has to agree'),
    budget: BudgetAnswer,
  }),
  annotations: hints.reads,
  async run(asked, { client, signal, folder, budget }) {
    const submission = await readSubmission(client, asked, signal);
    const estimate = await withInput<Estimate | BatchEstimate>(asked, folder, (input) => {
      const whole = { ...submission, ...input };
      return isForBatch(asked) ? estimateBatch(client, asked, whole) : client.estimate(whole);
    });
    const { data, said } = await presentEstimate({ client, budget }, submission.hpc, estimate);
    const granted = Math.round(estimate.runtime * 3600);
    const { count, preview } = 'count' in estimate ? estimate : { count: 1, preview: [] };
    const first = preview.map(({ program }) => program);
    const what = isForBatch(asked)
      ? `${writeCount(count, 'job')} would reserve ${data.price.text}.`
      : `It would reserve ${data.price.text} and may run for ${writeDuration(granted)}.`;
    return {
      data: { ...data, granted_seconds: granted, count, first_commands: first },
      lines: [
        `${what} ${data.quota_left.text} would be left of the quota.`,
        said,
        ...describeOld(asked),
        ...first.map((command) => cleanText(command)),
      ],
    };
  },
});
