import * as v from 'valibot';
import { renewalPeriods } from '#lib/catalog/renewal.ts';
import { changes } from './administration.ts';
import { Amount, balance, count, systemInCapitals, timestamp, userId, whole } from './fields.ts';
import { Refusal } from './problem.ts';

const fields = {
  id: whole,
  project: whole,
  project_hpc: systemInCapitals,
  project_name: v.string(),
  space_left: v.number(),
  time_left: whole,
  user: userId,
};

const Renewal = v.strictObject({
  every: v.picklist(renewalPeriods),
  on: count,
  month: v.optional(count),
  to: Amount,
  carry_over: Amount,
  next: v.nullable(timestamp),
});

const Usage = v.strictObject({
  time: balance(whole),
  space: balance(v.number()),
  living_jobs: count,
  valid_until: v.nullable(timestamp),
  renews: v.nullable(Renewal),
  banned: v.nullable(v.string()),
});

export const QuotaWithUsage = v.strictObject({ ...fields, usage: Usage });

/** Interface 2.3, and with `expand=usage` how it came to be what is left. */
export const Quota = v.strictObject({ ...fields, usage: v.optional(Usage) });

/** What became of one row of many grants. */
export const GrantedRow = v.variant('outcome', [
  v.strictObject({
    line: count,
    outcome: v.picklist(['granted', 'corrected', 'unchanged']),
    user: userId,
    project_hpc: systemInCapitals,
    project_name: v.string(),
    change: v.nullable(changes),
  }),
  v.strictObject({ line: count, outcome: v.literal('refused'), problem: Refusal }),
  v.strictObject({ line: count, outcome: v.literal('not-done') }),
]);
