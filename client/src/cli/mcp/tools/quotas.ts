import * as z from 'zod';
import { writeDay } from '../../../format/write-day.ts';
import { type Charging, nameUnit, writeLeft } from '../../../format/write-node-time.ts';
import { writeSizeLeft } from '../../../format/write-size.ts';
import type { Quota } from '../../../index.ts';
import { readCharging } from '../../account/read-charging.ts';
import { cleanText } from '../../screen/clean-text.ts';
import { answer } from '../answers/answer.ts';
import { BudgetAnswer, presentBudget } from '../answers/budget-answer.ts';
import { presentRest, presentTime, TimeAnswer } from '../answers/time-answer.ts';
import { hints, type ToolSet } from '../call/tool-set.ts';
import { describeBudget } from '../spending/describe-budget.ts';

const QuotaAnswer = z.object({
  hpc: z.string(),
  project: z.string(),
  granted: TimeAnswer,
  left: TimeAnswer,
  reserved: TimeAnswer.describe('by jobs that have not ended'),
  used: TimeAnswer,
  space_left_bytes: z.number(),
  valid_until: z.string().nullable(),
  banned: z.string().nullable().describe('why the user may not submit there, if so'),
});

const Output = z.object({ quotas: z.array(QuotaAnswer), budget: BudgetAnswer });

type Output = z.infer<typeof Output>;

export function addQuotas({ server, connect, budget }: ToolSet): void {
  server.registerTool(
    'quotas',
    {
      title: 'Quotas',
      description:
        'Says what the user has left in each project, and what is left of the budget of this session.',
      outputSchema: Output,
      annotations: hints.reads,
    },
    ({ signal }) =>
      answer<Output>(async () => {
        const client = connect();
        const [quotas, chargingOf] = await Promise.all([
          client.listQuotas({ expand: 'usage' }, { signal }),
          readCharging(client),
        ]);
        const listed = quotas.flatMap((quota) => present(quota, chargingOf(quota.project_hpc)));
        return {
          data: {
            quotas: listed.map(({ data }) => data),
            budget: presentBudget(budget, chargingOf()),
          },
          lines: [...listed.map(({ line }) => line), describeBudget(budget, chargingOf())],
        };
      }),
  );
}

function present({ usage, ...quota }: Quota, charging: Charging) {
  if (!usage) return [];
  const { time, space, valid_until, banned } = usage;
  const place = { hpc: quota.project_hpc.toLowerCase(), project: quota.project_name };
  const notes = [
    `${writeSizeLeft(space.left * 1000)} of space`,
    ...(valid_until === null ? [] : [`until ${writeDay(valid_until)}`]),
    ...(banned === null ? [] : [`banned: ${cleanText(banned)}`]),
  ];
  const left = `${writeLeft(time.left, time.granted)} ${nameUnit(charging)} left`;
  return {
    data: {
      ...place,
      granted: presentTime(time.granted, charging),
      left: presentRest(time.left, charging),
      reserved: presentTime(time.held, charging),
      used: presentTime(time.used, charging),
      space_left_bytes: space.left * 1000,
      valid_until,
      banned,
    },
    line: `${place.project} on ${place.hpc}: ${left} (${notes.join(', ')})`,
  };
}
