import {
  type PrimaryKey,
  projectDayKey,
  projectMonthKey,
  userDayKey,
  userMonthKey,
} from '#lib/table/keys.ts';
import { dayOf, monthOf } from '../counted-period.ts';
import type { EndedJob } from '../ended-job.ts';
import type { SumScope } from '../usage-item.ts';

/** A sum that an end is added to. */
export interface SumPlace {
  readonly key: PrimaryKey;
  readonly scope: SumScope;
}

/** The user's and the project's, by day and by month. */
export function listSums({ account, at }: EndedJob): SumPlace[] {
  const { hpc, project } = account;
  const day = dayOf(at);
  const month = monthOf(day);
  return [
    { key: userDayKey(account, day), scope: { ...account, time: day } },
    { key: userMonthKey(account, month), scope: { ...account, time: month } },
    { key: projectDayKey(account, day), scope: { hpc, project, time: day } },
    { key: projectMonthKey(account, month), scope: { hpc, project, time: month } },
  ];
}
