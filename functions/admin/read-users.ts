import { IdentityEnvironment, readEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer, type LinkTo } from '#lib/http/chain/operation.ts';
import { openCursors, users } from '#lib/http/parsers/cursors.ts';
import { pageQuery } from '#lib/http/parsers/fields.ts';
import { namedUserListQuery } from '#lib/http/parsers/list-queries.ts';
import { presentAccount, presentUser } from '#lib/http/presenters/present-administration.ts';
import { ok, respond } from '#lib/http/respond.ts';
import { findLogin, readLogins } from '#lib/users/logins/login-store.ts';
import { openUserDirectory } from '#lib/users/user-directory.ts';
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
        return ok((await directory.findBySubject(query.subject)).map(presentUser));
      })
    : answer({ query: pageQuery }, async ({ query, linkTo }) => listPage(query, linkTo)),
  one: answer({}, async ({ path }) => ok(presentUser(await directory.find(path.user_id)))),
  accounts: answer({}, async ({ path }) => {
    const logins = await readLogins(table, path.user_id);
    return ok(logins.map(presentAccount));
  }),
  account: answer({}, async ({ path }) =>
    ok(presentAccount(await findLogin(table, path.user_id, path.hpc.name))),
  ),
});

async function listPage(query: { limit: number; cursor?: string | undefined }, linkTo: LinkTo) {
  const after = cursors.verify(undefined, query.cursor);
  const page = await directory.list(query.limit, after);
  return respond(200, page.entries.map(presentUser), linkTo(cursors.sign(undefined, page.next)));
}
