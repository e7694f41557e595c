import { isUserId } from '#lib/catalog/identifiers.ts';
import { PagingEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { linkToPage } from '#lib/http/paging/link-to-page.ts';
import { createPositionSigner } from '#lib/http/paging/position-signer.ts';
import { parseUserList } from '#lib/http/parsers/parse-user-list.ts';
import { refuseQuery } from '#lib/http/parsers/read-query.ts';
import { presentUser } from '#lib/http/presenters/present-user.ts';
import { ok, respond } from '#lib/http/respond.ts';
import { openTable } from '#lib/table/table.ts';
import { listUsers } from '#lib/users/list-users.ts';
import { findProfile } from '#lib/users/profile-store.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const signer = createPositionSigner(readEnvironment(PagingEnvironment).CURSOR_SECRET);
const marks = ['users'];

export const handler = apiHandler(routes, routes['read-users'], async ({ path, event }) => {
  if (path.user_id !== undefined) {
    refuseQuery(event);
    return ok(presentUser(await findProfile(table, path.user_id)));
  }
  const { limit, cursor } = parseUserList(event);
  const place = cursor === undefined ? undefined : signer.verify(marks, cursor);
  const after = isUserId(place) ? place : undefined;
  const { users, next } = await listUsers(table, limit, after);
  const link = next === undefined ? {} : linkToPage(event, signer.sign(marks, next));
  return respond(200, users.map(presentUser), link);
});
