import * as v from 'valibot';
import { cursor, limitTo } from './query-fields.ts';

const mostUsers = 100;

export const userListQuery = v.object({
  limit: v.optional(limitTo(mostUsers), String(mostUsers)),
  cursor,
});
