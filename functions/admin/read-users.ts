import { PagingEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { users } from '#lib/http/paging/cursor-forms.ts';
import { createCursors } from '#lib/http/paging/list-cursors.ts';
import { userListQuery } from '#lib/http/parsers/queries/user-list-query.ts';
import { presentAccount } from '#lib/http/presenters/present-account.ts';
import { presentUser } from '#lib/http/presenters/present-user.ts';
import { ok, respond } from '#lib/http/respond.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { listUsers } from '#lib/users/list-users.ts';
import { findLogin, readLogins } from '#lib/users/logins/login-store.ts';
import { findProfile } from '#lib/users/profile-store.ts';
import { endpoints } from '../endpoints.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);
const cursors = createCursors(readEnvironment(PagingEnvironment).CURSOR_SECRET, users);
const endpoint = endpoints['read-users'];

export const handler = apiHandler(endpoints, endpoint, {
  list: answer(endpoint.paths.list, { query: userListQuery }, async ({ query, linkTo }) => {
    const after = cursors.verify(undefined, query.cursor);
    const page = await listUsers(table, query.limit, after);
    return respond(200, page.users.map(presentUser), linkTo(cursors.sign(undefined, page.next)));
  }),
  one: answer(endpoint.paths.one, {}, async ({ path }) =>
    ok(presentUser(await findProfile(table, path.user_id))),
  ),
  accounts: answer(endpoint.paths.accounts, {}, async ({ path }) => {
    const logins = await readLogins(table, path.user_id);
    return ok(logins.map(presentAccount));
  }),
  account: answer(endpoint.paths.account, {}, async ({ path }) =>
    ok(presentAccount(await findLogin(table, path.user_id, path.hpc.name))),
  ),
});
