import * as v from 'valibot';

const FieldProblem = v.strictObject({
  location: v.picklist(['path', 'payload', 'header', 'query', 'body']),
  name: v.string(),
  message: v.pipe(v.string(), v.minLength(1)),
});

/** RFC 9457: what every refusal looks like; what it says besides depends on its type. */
export const Problem = v.looseObject({
  type: v.pipe(v.string(), v.regex(/^urn:slipway:problem:[a-z-]+$/)),
  title: v.pipe(v.string(), v.minLength(1)),
  status: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
  detail: v.pipe(v.string(), v.minLength(1)),
  instance: v.pipe(v.string(), v.minLength(1)),
  errors: v.optional(v.pipe(v.array(FieldProblem), v.minLength(1))),
});

/** Of one row of many, what became of which is said beside it. */
export const Refusal = v.looseObject({
  type: Problem.entries.type,
  title: Problem.entries.title,
  detail: Problem.entries.detail,
  errors: Problem.entries.errors,
});
