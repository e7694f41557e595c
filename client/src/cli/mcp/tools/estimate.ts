import * as z from 'zod';
import { writeDuration } from '../../../format/write-duration.ts';
import { readCharging } from '../../account/read-charging.ts';
import { answer } from '../answers/answer.ts';
import { BudgetAnswer, presentBudget } from '../answers/budget-answer.ts';
import { presentRest, presentTime, TimeAnswer } from '../answers/time-answer.ts';
import { hints, type ToolSet } from '../call/tool-set.ts';
import { readSubmission, SubmissionInput } from '../input/submission-input.ts';
import { withInput } from '../input/with-input.ts';
import { describeBudget } from '../spending/describe-budget.ts';

const Output = z.object({
  price: TimeAnswer.describe('what the job would reserve until it ends'),
  granted_seconds: z.number().describe('how long it might run'),
  quota_left: TimeAnswer.describe('what would be left of the quota'),
  within_budget: z.boolean().describe('if not, the user would have to agree'),
  budget: BudgetAnswer,
});

type Output = z.infer<typeof Output>;

export function addEstimate({ server, connect, budget, folder }: ToolSet): void {
  server.registerTool(
    'estimate',
    {
      title: 'What a job would cost',
      description:
        'Says what a job would reserve from the quota and whether it would be accepted, without submitting it. It takes what submit takes.',
      inputSchema: SubmissionInput,
      outputSchema: Output,
      annotations: hints.reads,
    },
    (asked, { signal }) =>
      answer<Output>(async () => {
        const client = connect();
        const submission = readSubmission(asked, signal);
        const [{ held, left, runtime }, chargingOf] = await Promise.all([
          withInput(asked, folder, (input) => client.estimate({ ...submission, ...input })),
          readCharging(client),
        ]);
        const charging = chargingOf(submission.hpc.toUpperCase());
        const data = {
          price: presentTime(held.time, charging),
          granted_seconds: Math.round(runtime * 3600),
          quota_left: presentRest(left.time, charging),
          within_budget: held.time <= budget.left(),
          budget: presentBudget(budget, charging),
        };
        return {
          data,
          lines: [
            `It would reserve ${data.price.text} and may run for ${writeDuration(data.granted_seconds)}. ${data.quota_left.text} would be left of the quota.`,
            describeBudget(budget, charging),
          ],
        };
      }),
  );
}
