import * as v from 'valibot';
import { isSubject } from '#lib/users/identity.ts';
import { cursor, limitTo } from './query-fields.ts';

const mostUsers = 100;

export const userListQuery = v.object({
  limit: v.optional(limitTo(mostUsers), String(mostUsers)),
  cursor,
});

/** Where the service gives users their numbers they can be found by what their issuer calls them. */
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
      'It cannot be used with subject: that is one user at most.',
    ),
    ['cursor'],
  ),
);
