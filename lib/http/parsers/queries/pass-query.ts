import * as v from 'valibot';

/** One that is missing is one that does not hold: whoever has none is told no more than that. */
const pass = v.optional(v.string(), '');

export const passQuery = v.object({ pass });

const seconds = v.optional(
  v.pipe(v.string(), v.regex(/^[0-9]{1,9}$/, 'It must be whole seconds.'), v.transform(Number)),
  '0',
);

/**
 * How many `bytes` will come is read beside the body, which may say it as well. The seconds are those
 * from the beginning of the job until its command ran, and from the end of its command until now.
 */
export const resultsQuery = v.object({
  pass,
  bytes: v.optional(v.string()),
  before: seconds,
  after: seconds,
});

/** The parts of the streams are read beside the body, which they describe. */
export const outputQuery = v.object({
  pass,
  stdout: v.optional(v.string()),
  stderr: v.optional(v.string()),
  last: v.optional(v.literal('true')),
});
