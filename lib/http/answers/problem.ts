import * as v from 'valibot';
import { Amount, balance, charging, count, systemInCapitals, timestamp, whole } from './fields.ts';

const FieldProblem = v.strictObject({
  location: v.picklist(['path', 'payload', 'header', 'query', 'body']),
  name: v.string(),
  message: v.pipe(v.string(), v.minLength(1)),
});

/** The facts of a problem, so that clients need not parse its sentences. */
const members = {
  errors: v.optional(v.pipe(v.array(FieldProblem), v.minLength(1))),
  /** The project of the amounts, and how its system charges time. */
  project_hpc: v.optional(systemInCapitals),
  project_name: v.optional(v.string()),
  charging: v.optional(charging),
  /** `quota-exceeded`: the requested and the remaining amounts. */
  asked: v.optional(Amount),
  left: v.optional(Amount),
  /** `budget-spent`: US dollars, and when the next month begins. */
  estimate: v.optional(v.number()),
  cost: v.optional(v.number()),
  budget: v.optional(v.number()),
  opens_at: v.optional(timestamp),
  /** `quota-in-use`: the balances, the lowest possible grant, and the jobs that need the quota. */
  time: v.optional(balance(whole)),
  space: v.optional(balance(v.number())),
  lowest: v.optional(Amount),
  living_jobs: v.optional(count),
  ended_jobs: v.optional(count),
  discarded_jobs: v.optional(count),
  /** How many are allowed, and how many exist or would exist. */
  limit: v.optional(v.number()),
  count: v.optional(v.number()),
  /** `banned`. */
  reason: v.optional(v.string()),
  /** `request-open` and `request-ended`. */
  request_id: v.optional(v.string()),
  state: v.optional(v.string()),
  by: v.optional(v.string()),
};

/** Every refusal (RFC 9457). Its members depend on its type. */
export const Problem = v.looseObject({
  type: v.pipe(v.string(), v.regex(/^urn:slipway:problem:[a-z-]+$/)),
  title: v.pipe(v.string(), v.minLength(1)),
  status: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
  detail: v.pipe(v.string(), v.minLength(1)),
  instance: v.pipe(v.string(), v.minLength(1)),
  ...members,
});

/** Why one row of many was refused. */
const Refusal = v.looseObject({
  type: Problem.entries.type,
  title: Problem.entries.title,
  detail: Problem.entries.detail,
  ...members,
});

/** What becomes of a row that is not done. */
export const RowRefused = v.strictObject({
  line: count,
  outcome: v.literal('refused'),
  problem: Refusal,
});
export const RowNotDone = v.strictObject({ line: count, outcome: v.literal('not-done') });
