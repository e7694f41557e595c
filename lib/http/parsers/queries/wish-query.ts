import * as v from 'valibot';

/** What is wanted of a DELETE, so that a request that comes late does no other thing. */
export const wishQuery = v.object({
  only: v.optional(v.picklist(['cancel', 'delete'], 'It must be cancel or delete.')),
});
