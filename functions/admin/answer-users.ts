import { IdentityEnvironment, PagingEnvironment, readEnvironment } from '#lib/config.ts';
import { answer, type LinkTo } from '#lib/http/chain/operation.ts';
import { createCursors, users } from '#lib/http/parsers/cursors.ts';
import { pageQuery } from '#lib/http/parsers/fields.ts';
import { namedUserListQuery } from '#lib/http/parsers/list-queries.ts';
import { presentUser } from '#lib/http/presenters/present-administration.ts';
import { ok, respond } from '#lib/http/respond.ts';
import type { Table } from '#lib/table/table.ts';
import { openUserDirectory } from '#lib/users/user-directory.ts';
import { endpoints } from '../endpoints.ts';

const { paths } = endpoints['read-users'];

/** Lists users or shows one. If the service assigns user numbers, also finds users by subject. */
export function answerUsers(table: Table) {
  const cursors = createCursors(readEnvironment(PagingEnvironment).CURSOR_SECRET, users);
  const { USER_IDS, ISSUER } = readEnvironment(IdentityEnvironment);
  const givesNumbers = USER_IDS === 'assigned';
  const directory = openUserDirectory(table, givesNumbers ? ISSUER : undefined);

  async function listPage(query: { limit: number; cursor?: string | undefined }, linkTo: LinkTo) {
    const after = cursors.verify(undefined, query.cursor);
    const page = await directory.list(query.limit, after);
    return respond(200, page.users.map(presentUser), linkTo(cursors.sign(undefined, page.next)));
  }

  const list = answer(paths.list, { query: pageQuery }, async ({ query, linkTo }) =>
    listPage(query, linkTo),
  );
  const listOrFind = answer(paths.list, { query: namedUserListQuery }, async (request) => {
    const { query, linkTo } = request;
    if (query.subject === undefined) return listPage(query, linkTo);
    return ok((await directory.findBySubject(query.subject)).map(presentUser));
  });
  return {
    list: givesNumbers ? listOrFind : list,
    one: answer(paths.one, {}, async ({ path }) =>
      ok(presentUser(await directory.find(path.user_id))),
    ),
  };
}
