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
  /** Months are read by the hundred, and have their full size from the beginning. */
  readonly whole: boolean;
}

/** The user's and the project's, by day and by month. */
export function listSums({ account, at }: EndedJob): SumPlace[] {
  const { hpc, project } = account;
  const day = dayOf(at);
  const month = monthOf(day);
  const everybody = { hpc, project };
  return [
    { key: userDayKey(account, day), scope: { ...account, time: day }, whole: false },
    { key: userMonthKey(account, month), scope: { ...account, time: month }, whole: true },
    { key: projectDayKey(account, day), scope: { ...everybody, time: day }, whole: false },
    { key: projectMonthKey(account, month), scope: { ...everybody, time: month }, whole: true },
  ];
}
