import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { presentAccount } from '#lib/http/presenters/present-administration.ts';
import { ok } from '#lib/http/respond.ts';
import { findLogin, readLogins } from '#lib/users/logins/login-store.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';
import { answerUsers } from './answer-users.ts';

const endpoint = endpoints['read-users'];

export const handler = apiHandler(endpoints, endpoint, {
  ...answerUsers(table),
  accounts: answer(endpoint.paths.accounts, {}, async ({ path }) => {
    const logins = await readLogins(table, path.user_id);
    return ok(logins.map(presentAccount));
  }),
  account: answer(endpoint.paths.account, {}, async ({ path }) =>
    ok(presentAccount(await findLogin(table, path.user_id, path.hpc.name))),
  ),
});
