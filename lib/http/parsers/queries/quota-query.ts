import * as v from 'valibot';
import { cursor, limitTo } from './query-fields.ts';

const mostQuotas = 100;

/** Whether quotas are shown with their usage. */
export const quotaQuery = v.object({
  expand: v.optional(v.picklist(['usage'], 'It must be usage.')),
});

/** The same for a page of everybody's. */
export const quotaPageQuery = v.object({
  limit: v.optional(limitTo(mostQuotas), String(mostQuotas)),
  cursor,
  ...quotaQuery.entries,
});
