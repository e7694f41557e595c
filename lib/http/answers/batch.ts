import * as v from 'valibot';
import { MaintenanceWindow } from './catalog.ts';
import { Amount, count, systemInCapitals, timestamp, userId, whole } from './fields.ts';
import { Resources } from './job.ts';

export const Batch = v.strictObject({
  batch_id: v.string(),
  count,
  counts: v.strictObject({
    waiting: count,
    running: count,
    done: count,
    failed: count,
    cancelled: count,
  }),
  end_date: v.nullable(timestamp),
  /** What its jobs still hold, and the zip that they share. */
  held: Amount,
  init_date: timestamp,
  /** How many of its jobs may run at once. */
  max_running: v.nullable(count),
  owner: userId,
  project: whole,
  project_hpc: systemInCapitals,
  project_name: v.string(),
  /** Hours, as granted to each job. */
  runtime: v.number(),
  title: v.string(),
  used: Amount,
});

export const BatchEstimate = v.strictObject({
  accepted: v.literal(true),
  count,
  runtime: v.number(),
  held: Amount,
  left: Amount,
  living_jobs: count,
  max_living_jobs: count,
  account: v.optional(v.string()),
  resources: v.optional(Resources),
  /** Only if the jobs would wait for it now. */
  maintenance: v.optional(MaintenanceWindow),
  /** The first jobs as they would run. */
  preview: v.array(v.strictObject({ index: count, program: v.string(), title: v.string() })),
});
