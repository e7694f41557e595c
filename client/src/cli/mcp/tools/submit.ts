import * as z from 'zod';
import { writeNodeTime, writeRest } from '../../../format/write-node-time.ts';
import { writeShortId } from '../../../format/write-short-id.ts';
import { readCharging } from '../../account/read-charging.ts';
import { answer } from '../answers/answer.ts';
import { BudgetAnswer, presentBudget } from '../answers/budget-answer.ts';
import { JobAnswer, presentJob, writeJob } from '../answers/job-answer.ts';
import { presentRest, presentTime, TimeAnswer } from '../answers/time-answer.ts';
import { hints, type ToolSet } from '../call/tool-set.ts';
import { readSubmission, SubmissionInput } from '../input/submission-input.ts';
import { withInput } from '../input/with-input.ts';
import { createAskUser } from '../spending/ask-user.ts';
import { describeBudget } from '../spending/describe-budget.ts';
import { describeSubmission } from '../spending/describe-submission.ts';
import { permitSpending } from '../spending/permit-spending.ts';
import { submitOnBudget } from '../spending/submit-on-budget.ts';

const Output = z.object({
  job: JobAnswer,
  price: TimeAnswer.describe('what it reserves until it ends'),
  quota_left: TimeAnswer,
  budget: BudgetAnswer,
});

type Output = z.infer<typeof Output>;

export function addSubmit({ server, connect, budget, folder }: ToolSet): void {
  server.registerTool(
    'submit',
    {
      title: 'Submit a job',
      description:
        'Submits a job and reserves its price from the quota of the user. Beyond the budget of this session the user is asked, or it is refused. Each call makes another job: after an error that leaves it open whether there is one, look with jobs before you submit again.',
      inputSchema: SubmissionInput,
      outputSchema: Output,
      annotations: hints.submits,
    },
    (asked, { signal }) =>
      answer<Output>(async () => {
        const client = connect();
        const submission = readSubmission(asked, signal);
        const charging = (await readCharging(client))(submission.hpc.toUpperCase());
        return withInput(asked, folder, async (input) => {
          const whole = { ...submission, ...input };
          const price = await client.estimate(whole);
          const seconds = price.held.time;
          const job = describeSubmission(whole, price, charging);
          await permitSpending(budget, { seconds, charging, job }, createAskUser(server, signal));
          const made = await submitOnBudget(budget, seconds, () => client.submit(whole));
          return {
            data: {
              job: presentJob(made),
              price: presentTime(seconds, charging),
              quota_left: presentRest(price.left.time, charging),
              budget: presentBudget(budget, charging),
            },
            lines: [
              `Submitted: ${writeJob(made)}`,
              `It reserves ${writeNodeTime(seconds, charging)}; ${writeRest(price.left.time, charging)} are left of the quota. ${describeBudget(budget, charging)}`,
              `Wait for it: wait with job ${writeShortId(made.job_id)}.`,
            ],
          };
        });
      }),
  );
}
