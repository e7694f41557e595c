import * as v from 'valibot';
import { actKinds } from '#lib/audit/act.ts';
import { isUserId, type UserId } from '#lib/catalog/identifiers.ts';
import { cursor, endOfDay, limitTo, moment, startOfDay } from './query-fields.ts';

const mostActs = 100;

/** What the service does by itself it does in this name. */
const ownName = 'slipway';

/** Which of the acts of administrators, and how many. */
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
    user: v.optional(
      v.custom<UserId>(isUserId, 'It must be the number of a user, without leading zeros.'),
    ),
    kind: v.optional(v.picklist(actKinds, `Unknown kind. Known kinds: ${actKinds.join(', ')}.`)),
  }),
  v.transform(({ limit, cursor, since, until, ...filter }) => ({
    limit,
    cursor,
    list: { since, until, filter },
  })),
);
