import * as v from 'valibot';
import { cursor, limitTo } from './query-fields.ts';

const mostDeliveries = 100;

/** How much of the log is asked for. */
export const deliveryQuery = v.object({
  limit: v.optional(limitTo(mostDeliveries), String(mostDeliveries)),
  cursor,
});
