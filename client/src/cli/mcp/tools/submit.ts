import * as z from 'zod';
import { writeDuration } from '../../../format/duration.ts';
import { writeShortId } from '../../../format/write-short-id.ts';
import { readStages } from '../../session/job-view.ts';
import { BudgetAnswer, JobAnswer, presentJob, TimeAnswer, writeJob } from './answers.ts';
import { JobSubmissionInput, readJobSubmission, withInput } from './input.ts';
import { presentEstimate, submitOnBudget } from './spending.ts';
import { defineTool, hints } from './tool-set.ts';

export const submitTool = defineTool({
  name: 'submit',
  title: 'Submit a job',
  description:
    'Submits a job and reserves its price from the quota of the user. A price beyond the budget of this session needs the consent of the user; if the user cannot be asked, the job is refused. Each call creates another job. If an error says that the job may have been submitted, check with jobs before you submit again.',
  input: JobSubmissionInput,
  outputSchema: z.object({
    job: JobAnswer,
    price: TimeAnswer.describe('time reserved until the job ends'),
    quota_left: TimeAnswer,
    budget: BudgetAnswer,
  }),
  annotations: hints.submits,
  async run(asked, { client, signal, tools, folder }) {
    const submission = await readJobSubmission(client, asked, signal);
    const stageOf = await readStages(client);
    return withInput(asked, folder, async (input) => {
      const work = {
        kind: 'job',
        submission: { ...submission, ...input },
        estimate: client.estimate,
        submit: client.submit,
      } as const;
      const { made, spent, said } = await submitOnBudget(tools, work, signal);
      return {
        data: { job: presentJob(made, stageOf), ...spent },
        lines: [
          `Submitted: ${writeJob(made, stageOf)}`,
          said,
          `Wait for it: wait with job ${writeShortId(made.job_id)}.`,
        ],
      };
    });
  },
});

export const estimateTool = defineTool({
  name: 'estimate',
  title: 'Estimate the price of a job',
  description:
    'Estimates how much quota a job would reserve and checks whether it would be accepted, without submitting it. Takes the same parameters as submit.',
  input: JobSubmissionInput,
  outputSchema: z.object({
    price: TimeAnswer.describe('time that would be reserved until the job ends'),
    granted_seconds: z.number().describe('time limit the job would get'),
    quota_left: TimeAnswer.describe('quota remaining after submission'),
    within_budget: z.boolean().describe('if false, the user has to agree'),
    budget: BudgetAnswer,
  }),
  annotations: hints.reads,
  async run(asked, { client, signal, folder, budget }) {
    const submission = await readJobSubmission(client, asked, signal);
    const estimate = await withInput(asked, folder, (input) =>
      client.estimate({ ...submission, ...input }),
    );
    const { data, said } = await presentEstimate({ client, budget }, submission.hpc, estimate);
    const granted = Math.round(estimate.runtime * 3600);
    return {
      data: { ...data, granted_seconds: granted },
      lines: [
        `It would reserve ${data.price.text} and may run for ${writeDuration(granted)}. ${data.quota_left.text} would be left of the quota.`,
        said,
      ],
    };
  },
});
