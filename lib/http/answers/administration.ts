import * as v from 'valibot';
import { actKinds } from '#lib/audit/act.ts';
import { count, systemInCapitals, timestamp, userId, whole } from './fields.ts';
import { RowNotDone, RowRefused } from './problem.ts';

const fact = v.nullable(v.union([v.string(), v.number()]));

export const changes = v.record(
  v.string(),
  v.union([fact, v.strictObject({ before: fact, after: fact })]),
);

export const Act = v.strictObject({
  act_id: v.string(),
  kind: v.picklist(actKinds),
  at: timestamp,
  by: v.string(),
  /** What the administrator is called, with `names=true`. */
  by_name: v.optional(v.string()),
  reason: v.string(),
  user: v.nullable(userId),
  /** What the user is called, with `names=true`. */
  name: v.optional(v.string()),
  project_hpc: v.nullable(systemInCapitals),
  project_name: v.nullable(v.string()),
  job_id: v.nullable(v.string()),
  details: changes,
});

/** The account that a user's jobs run under on a system. */
export const Account = v.strictObject({ user: userId, hpc: v.string(), account: v.string() });

export const RowMapped = v.strictObject({
  line: count,
  outcome: v.picklist(['created', 'changed', 'unchanged']),
  ...Account.entries,
});

export const AccountRow = v.variant('outcome', [RowMapped, RowRefused, RowNotDone]);

export const User = v.strictObject({
  user: userId,
  /** Only if the identity provider says it. Two users may have the same. */
  name: v.optional(v.string()),
  /** Only if the identity provider has verified it. */
  email: v.optional(v.string()),
  /** When an administrator erased what was kept about the person. */
  erased: v.optional(timestamp),
  /** Only if the service assigns the numbers. */
  subject: v.optional(v.nullable(v.string())),
  first_seen: timestamp,
  banned: v.nullable(v.string()),
  bans: v.array(
    v.strictObject({
      project_hpc: systemInCapitals,
      project_name: v.string(),
      reason: v.string(),
    }),
  ),
  /** Only if asked for. */
  activity: v.optional(
    v.strictObject({
      /** When the newest job that still exists was submitted. */
      last_submission: v.nullable(timestamp),
      /** Seconds charged for the jobs that ended in the last 30 days, today included. */
      time_used: whole,
      jobs_ended: count,
    }),
  ),
});
