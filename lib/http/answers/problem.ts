import * as v from 'valibot';
import { Amount, balance, charging, count, systemInCapitals, whole } from './fields.ts';

const FieldProblem = v.strictObject({
  location: v.picklist(['path', 'payload', 'header', 'query', 'body']),
  name: v.string(),
  message: v.pipe(v.string(), v.minLength(1)),
});

/** Facts beside the words of a problem, so that no client has to read them out of a sentence. */
const members = {
  errors: v.optional(v.pipe(v.array(FieldProblem), v.minLength(1))),
  /** Which project the amounts are of, and what a second of its quotas is a second of. */
  project_hpc: v.optional(systemInCapitals),
  project_name: v.optional(v.string()),
  charging: v.optional(charging),
  /** `quota-exceeded`: what was asked for, and what is left. */
  asked: v.optional(Amount),
  left: v.optional(Amount),
  /** `quota-in-use`: how the quota stands, the least that can be set, and the jobs that need it. */
  time: v.optional(balance(whole)),
  space: v.optional(balance(v.number())),
  lowest: v.optional(Amount),
  living_jobs: v.optional(count),
  ended_jobs: v.optional(count),
  discarded_jobs: v.optional(count),
  /** How many are allowed, and how many there are or would be. */
  limit: v.optional(v.number()),
  count: v.optional(v.number()),
  /** `banned`. */
  reason: v.optional(v.string()),
  /** `request-open` and `request-ended`. */
  request_id: v.optional(v.string()),
  state: v.optional(v.string()),
  by: v.optional(v.string()),
};

/** RFC 9457: what every refusal looks like; which members it has depends on its type. */
export const Problem = v.looseObject({
  type: v.pipe(v.string(), v.regex(/^urn:slipway:problem:[a-z-]+$/)),
  title: v.pipe(v.string(), v.minLength(1)),
  status: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
  detail: v.pipe(v.string(), v.minLength(1)),
  instance: v.pipe(v.string(), v.minLength(1)),
  ...members,
});

/** Of one row of many, what became of which is said beside it. */
export const Refusal = v.looseObject({
  type: Problem.entries.type,
  title: Problem.entries.title,
  detail: Problem.entries.detail,
  ...members,
});
