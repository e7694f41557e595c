import * as v from 'valibot';
import { renewalPeriods } from '#lib/catalog/renewal.ts';
import { jobOutcomes } from '#lib/quotas/job-outcomes.ts';
import { ledgerKinds } from '#lib/quotas/ledger.ts';
import { requestStates } from '#lib/requests/quota-request.ts';
import { changes } from './administration.ts';
import { Amount, balance, count, systemInCapitals, timestamp, userId, whole } from './fields.ts';
import { RowNotDone, RowRefused } from './problem.ts';

const fields = {
  id: whole,
  project: whole,
  project_hpc: systemInCapitals,
  project_name: v.string(),
  space_left: v.number(),
  time_left: whole,
  user: userId,
};

export const Renewal = v.strictObject({
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
  /** Only if a leader has granted some of it: how much came from the project's budget. */
  from_budget: v.optional(Amount),
});

export const QuotaWithUsage = v.strictObject({ ...fields, usage: Usage });

/** Interface 2.3, with what only a parameter asks for. */
export const Quota = v.strictObject({
  ...fields,
  /** With `expand=usage`. */
  usage: v.optional(Usage),
  /** What the user is called, with `names=true`, where leaders and administrators ask. */
  name: v.optional(v.string()),
});

export const RowGranted = v.strictObject({
  line: count,
  outcome: v.picklist(['granted', 'corrected', 'unchanged']),
  user: userId,
  project_hpc: systemInCapitals,
  project_name: v.string(),
  change: v.nullable(changes),
});

export const GrantedRow = v.variant('outcome', [RowGranted, RowRefused, RowNotDone]);

/** With milliseconds, because lines are sorted by them. */
const moment = v.pipe(v.string(), v.isoTimestamp());

export const LedgerLine = v.strictObject({
  at: moment,
  kind: v.picklist(ledgerKinds),
  time: v.number(),
  space: v.number(),
  time_left: v.number(),
  space_left: v.number(),
  by: v.string(),
  reason: v.string(),
  job_id: v.nullable(v.string()),
  act_id: v.nullable(v.string()),
  /** Only if the line settles a job, in seconds. Missing in old lines. */
  settled: v.optional(
    v.strictObject({
      outcome: v.picklist(jobOutcomes),
      used: whole,
      /** How much the job had reserved. */
      held: whole,
      /** How long the job waited for the service, which is not charged. */
      excused: v.optional(count),
    }),
  ),
  batch_id: v.optional(v.string()),
  /** Only in the ledger of a budget: the member whom the line is about. */
  user: v.optional(userId),
});

const sums = { corrected: Amount, held: Amount, returned: Amount, used: Amount, change: Amount };

export const DaySum = v.strictObject({
  day: v.pipe(v.string(), v.isoDate()),
  granted: Amount,
  expired: Amount,
  ...sums,
});

export const JobSum = v.strictObject({ job_id: v.string(), ...sums });

/** Lines, or the sums of days or jobs if `sum` asks for them. */
export const Ledger = v.union([v.array(LedgerLine), v.array(DaySum), v.array(JobSum)]);

const requestFields = {
  request_id: v.string(),
  user: userId,
  project: whole,
  project_hpc: systemInCapitals,
  project_name: v.string(),
  time: whole,
  space: v.number(),
  reason: v.string(),
  state: v.picklist(requestStates),
  opened: timestamp,
  ended: v.nullable(timestamp),
  decision: v.nullable(
    v.strictObject({
      by: v.string(),
      reason: v.string(),
      time: v.nullable(whole),
      space: v.nullable(v.number()),
      valid_until: v.nullable(timestamp),
    }),
  ),
};

export const QuotaRequest = v.strictObject(requestFields);

/** A request as administrators see it. */
export const JudgedRequest = v.strictObject({
  ...requestFields,
  /** What the user is called, if the identity provider says it. */
  name: v.optional(v.string()),
  banned: v.nullable(v.string()),
});

/** Whole seconds, or null if no job ran. */
const seconds = v.nullable(count);

/** The optional fields are the dimensions of the report. */
export const ReportRow = v.strictObject({
  user: v.optional(userId),
  /** Only with `names=true`. */
  name: v.optional(v.nullable(v.string())),
  project_hpc: v.optional(systemInCapitals),
  project_name: v.optional(v.string()),
  day: v.optional(v.pipe(v.string(), v.isoDate())),
  month: v.optional(v.pipe(v.string(), v.regex(/^\d{4}-\d\d$/))),
  time_used: count,
  jobs_ended: count,
  jobs_failed: count,
  jobs_cancelled: count,
  queue_time_median: seconds,
  queue_time_p95: seconds,
  run_time_median: seconds,
  run_time_p95: seconds,
  /** Null if jobs are in the sum that ended before this was counted. */
  time_asked: v.nullable(count),
});

const statementAmounts = {
  opening: Amount,
  granted: Amount,
  expired: Amount,
  corrected: Amount,
  shared: Amount,
  used: Amount,
  drawn: Amount,
  reserved: Amount,
  closing: Amount,
  jobs_ended: count,
};

/** A month of a project: the sums of its rows, and a row for the budget and each member. */
export const Statement = v.strictObject({
  project: whole,
  project_hpc: systemInCapitals,
  project_name: v.string(),
  month: v.pipe(v.string(), v.regex(/^\d{4}-\d\d$/)),
  until: timestamp,
  closed: v.boolean(),
  ...statementAmounts,
  rows: v.array(
    v.strictObject({
      /** Null in the row of the budget, which comes first. */
      user: v.nullable(userId),
      /** What the user is called, with `names=true`. */
      name: v.optional(v.string()),
      ...statementAmounts,
    }),
  ),
});
