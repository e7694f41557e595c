import * as v from 'valibot';
import { requestStates } from '#lib/requests/quota-request.ts';
import { cursor, limitTo } from './query-fields.ts';

const mostRequests = 100;

const page = { limit: v.optional(limitTo(mostRequests), String(mostRequests)), cursor };

export const ownRequestsQuery = v.object(page);

export const allRequestsQuery = v.object({
  ...page,
  state: v.optional(
    v.picklist(requestStates, `It must be one of: ${requestStates.join(', ')}.`),
    'open',
  ),
});
