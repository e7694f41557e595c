import * as v from 'valibot';
import { actKinds } from '#lib/audit/act.ts';
import { systemInCapitals, timestamp, userId } from './fields.ts';

const fact = v.nullable(v.union([v.string(), v.number()]));

/** What an administrator did. */
export const Act = v.strictObject({
  act_id: v.string(),
  kind: v.picklist(actKinds),
  at: timestamp,
  by: v.string(),
  reason: v.string(),
  user: userId,
  project_hpc: v.nullable(systemInCapitals),
  project_name: v.nullable(v.string()),
  job_id: v.nullable(v.string()),
  details: v.record(v.string(), v.union([fact, v.strictObject({ before: fact, after: fact })])),
});

export const User = v.strictObject({
  user: userId,
  first_seen: timestamp,
  banned: v.nullable(v.string()),
  bans: v.array(
    v.strictObject({
      project_hpc: systemInCapitals,
      project_name: v.string(),
      reason: v.string(),
    }),
  ),
});
