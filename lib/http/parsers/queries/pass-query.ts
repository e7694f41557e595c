import * as v from 'valibot';

/** One that is missing is one that does not hold: whoever has none is told no more than that. */
const pass = v.optional(v.string(), '');

export const passQuery = v.object({ pass });

/** How many `bytes` will come is read beside the body, which may say it as well. */
export const resultsQuery = v.object({ pass, bytes: v.optional(v.string()) });
