import * as v from 'valibot';
import { actKinds } from '#lib/audit/act.ts';
import { isUserId } from '#lib/catalog/identifiers.ts';
import { requestStates } from '#lib/requests/quota-request.ts';
import { isSubject } from '#lib/users/identity.ts';
import { cursor, endOfDay, limitTo, moment, startOfDay, userNumber } from './fields.ts';

const mostActs = 100;

/** The service acts under this name when it does something by itself. */
const ownName = 'slipway';

/** Filters and pages the acts of administrators. */
export const auditQuery = v.pipe(
  v.object({
    limit: v.optional(limitTo(mostActs), String(mostActs)),
    cursor,
    since: moment(startOfDay),
    until: moment(endOfDay),
    by: v.optional(
      v.pipe(
        v.string(),
        v.check(
          (text) => isUserId(text) || text === ownName,
          `It must be the number of an administrator, or ${ownName}.`,
        ),
      ),
    ),
    user: v.optional(userNumber),
    kind: v.optional(v.picklist(actKinds, `Unknown kind. Known kinds: ${actKinds.join(', ')}.`)),
  }),
  v.transform(({ limit, cursor, since, until, ...filter }) => ({
    limit,
    cursor,
    list: { since, until, filter },
  })),
);

const mostUsers = 100;

export const userListQuery = v.object({
  limit: v.optional(limitTo(mostUsers), String(mostUsers)),
  cursor,
});

/** Also finds a user by the issuer's name for them, if the service assigns the numbers. */
export const namedUserListQuery = v.pipe(
  v.object({
    ...userListQuery.entries,
    subject: v.optional(
      v.pipe(
        v.string(),
        v.check((text) => isSubject(text), 'It must have 1 to 255 characters.'),
      ),
    ),
  }),
  v.forward(
    v.check(
      (query) => query.subject === undefined || query.cursor === undefined,
      'It cannot be used with subject, which finds at most one user.',
    ),
    ['cursor'],
  ),
);

const mostRequests = 100;

const requestPage = { limit: v.optional(limitTo(mostRequests), String(mostRequests)), cursor };

export const ownRequestsQuery = v.object(requestPage);

export const allRequestsQuery = v.object({
  ...requestPage,
  state: v.optional(
    v.picklist(requestStates, `It must be one of: ${requestStates.join(', ')}.`),
    'open',
  ),
});

const mostDeliveries = 100;

export const deliveryQuery = v.object({
  limit: v.optional(limitTo(mostDeliveries), String(mostDeliveries)),
  cursor,
});
