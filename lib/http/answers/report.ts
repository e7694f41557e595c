import * as v from 'valibot';
import { count, systemInCapitals, userId } from './fields.ts';

/** Whole seconds; null where no job ran. */
const seconds = v.nullable(count);

/** The first fields are those that the report goes by. */
export const ReportRow = v.strictObject({
  user: v.optional(userId),
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
});
