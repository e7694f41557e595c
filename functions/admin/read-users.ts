import { IdentityEnvironment, readEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer, type LinkTo } from '#lib/http/chain/operation.ts';
import { openCursors, users } from '#lib/http/parsers/queries/cursors.ts';
import { namedUserListQuery, userListQuery } from '#lib/http/parsers/queries/list-queries.ts';
import {
  presentAccount,
  presentActivity,
  presentUser,
} from '#lib/http/presenters/present-administration.ts';
import { presentPerson } from '#lib/http/presenters/present-person.ts';
import { ok, respond } from '#lib/http/respond.ts';
import { gatherPerson } from '#lib/people/gather-person.ts';
import { readActivities } from '#lib/reports/user-activity.ts';
import { findLogin, readLogins } from '#lib/users/logins/login-store.ts';
import { type KnownUser, openUserDirectory } from '#lib/users/user-directory.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const cursors = openCursors(users);
const { USER_IDS, ISSUER } = readEnvironment(IdentityEnvironment);
const givesNumbers = USER_IDS === 'assigned';
const directory = openUserDirectory(table, givesNumbers ? ISSUER : undefined);

export const handler = apiHandler(endpoints, 'read-users', {
  // Only a service that assigns user numbers can find users by their subject.
  list: givesNumbers
    ? answer({ query: namedUserListQuery }, async ({ query, linkTo }) => {
        if (query.subject === undefined) return listPage(query, linkTo);
        return ok(await presentUsers(await directory.findBySubject(query.subject), query.expand));
      })
    : answer({ query: userListQuery }, async ({ query, linkTo }) => listPage(query, linkTo)),
  one: answer({}, async ({ path }) => ok(presentUser(await directory.find(path.user_id)))),
  accounts: answer({}, async ({ path }) => {
    const logins = await readLogins(table, path.user_id);
    return ok(logins.map(presentAccount));
  }),
  account: answer({}, async ({ path }) =>
    ok(presentAccount(await findLogin(table, path.user_id, path.hpc.name))),
  ),
  export: answer({}, async ({ path }) => {
    const user = await directory.find(path.user_id);
    return ok(presentPerson(user, await gatherPerson(table, path.user_id)));
  }),
});

interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly expand?: 'activity' | undefined;
  readonly search?: string | undefined;
}

async function listPage({ limit, cursor, expand, search }: ListQuery, linkTo: LinkTo) {
  if (search !== undefined) {
    return ok(await presentUsers(await directory.search(search, limit), expand));
  }
  const after = cursors.verify(undefined, cursor);
  const page = await directory.list(limit, after);
  const users = await presentUsers(page.entries, expand);
  return respond(200, users, linkTo(cursors.sign(undefined, page.next)));
}

async function presentUsers(users: readonly KnownUser[], expand: ListQuery['expand']) {
  if (expand === undefined) return users.map(presentUser);
  const names = users.map(({ user }) => user);
  const activities = await readActivities(table, names, new Date());
  return users.map((user, index) => {
    const activity = activities[index];
    return { ...presentUser(user), ...(activity && { activity: presentActivity(activity) }) };
  });
}
