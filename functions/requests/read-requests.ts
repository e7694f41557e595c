import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { pageQuery } from '#lib/http/parsers/fields.ts';
import { openCursors, requests } from '#lib/http/parsers/queries/cursors.ts';
import { presentRequest } from '#lib/http/presenters/present-request.ts';
import { ok, respond } from '#lib/http/respond.ts';
import { findOwnRequest, listOwnRequests } from '#lib/requests/request-store.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const cursors = openCursors(requests);

export const handler = apiHandler(endpoints, 'read-requests', {
  list: answer({ query: pageQuery }, async (request) => {
    const { caller, query, linkTo } = request;
    const after = cursors.verify(caller.userId, query.cursor);
    const page = await listOwnRequests(table, caller.userId, query.limit, after);
    const link = linkTo(cursors.sign(caller.userId, page.next));
    return respond(200, page.entries.map(presentRequest), link);
  }),
  one: answer({}, async ({ caller, path }) =>
    ok(presentRequest(await findOwnRequest(table, caller.userId, path.request_id))),
  ),
});
