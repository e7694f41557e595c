import * as v from 'valibot';
import { actKinds } from '#lib/audit/act.ts';
import { isUserId } from '#lib/catalog/identifiers.ts';
import { isSubject } from '#lib/users/identity.ts';
import {
  checkAt,
  endOfDay,
  flag,
  moment,
  pageQuery,
  searchText,
  startOfDay,
  userNumber,
  wholeSearch,
} from '../fields.ts';

/** The service acts under this name when it does something by itself. */
const ownName = 'slipway';

export const auditQuery = v.pipe(
  v.object({
    ...pageQuery.entries,
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
    names: flag,
  }),
  v.transform(({ limit, cursor, names, since, until, ...filter }) => ({
    limit,
    cursor,
    names,
    list: { since, until, filter },
  })),
);

const userFields = {
  ...pageQuery.entries,
  expand: v.optional(v.picklist(['activity'], 'It must be activity.')),
  search: searchText,
};

/** Also finds users by the beginning of a name or mail address. */
export const userListQuery = v.pipe(
  v.object(userFields),
  checkAt(
    'cursor',
    ({ search, cursor }) => search === undefined || cursor === undefined,
    wholeSearch,
  ),
);

/** Also finds a user by the issuer's name for them, if the service assigns the numbers. */
export const namedUserListQuery = v.pipe(
  v.object({
    ...userFields,
    subject: v.optional(
      v.pipe(
        v.string(),
        v.check((text) => isSubject(text), 'It must have 1 to 255 characters.'),
      ),
    ),
  }),
  checkAt(
    'cursor',
    (query) => query.subject === undefined || query.cursor === undefined,
    'It cannot be used with subject, which finds at most one user.',
  ),
  checkAt(
    'cursor',
    ({ search, cursor }) => search === undefined || cursor === undefined,
    wholeSearch,
  ),
  checkAt(
    'search',
    (query) => query.subject === undefined || query.search === undefined,
    'It cannot be used with subject, which finds at most one user.',
  ),
);
