import * as v from 'valibot';
import { ledgerKinds } from '#lib/quotas/ledger.ts';
import { Amount } from './fields.ts';

/** Milliseconds are shown, because lines are sorted by them. */
const moment = v.pipe(v.string(), v.isoTimestamp());

const Line = v.strictObject({
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
});

const sums = { corrected: Amount, held: Amount, returned: Amount, used: Amount, change: Amount };

const DaySum = v.strictObject({
  day: v.pipe(v.string(), v.isoDate()),
  granted: Amount,
  expired: Amount,
  ...sums,
});

const JobSum = v.strictObject({ job_id: v.string(), ...sums });

/** Lines, or with `sum` the sums of days or of jobs. */
export const Ledger = v.union([v.array(Line), v.array(DaySum), v.array(JobSum)]);
