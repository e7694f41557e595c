import * as v from 'valibot';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { openCursors, requests } from '#lib/http/parsers/cursors.ts';
import { pageQuery } from '#lib/http/parsers/fields.ts';
import { presentJudgedRequest } from '#lib/http/presenters/present-request.ts';
import { ok, respond } from '#lib/http/respond.ts';
import { addBan, listRequests } from '#lib/requests/list-requests.ts';
import { requestStates } from '#lib/requests/quota-request.ts';
import { findRequest } from '#lib/requests/request-store.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const cursors = openCursors(requests);

const query = v.object({
  ...pageQuery.entries,
  state: v.optional(
    v.picklist(requestStates, `It must be one of: ${requestStates.join(', ')}.`),
    'open',
  ),
});

export const handler = apiHandler(endpoints, 'read-all-requests', {
  list: answer({ query }, async ({ query: { state, limit, cursor }, linkTo }) => {
    const page = await listRequests(table, state, limit, cursors.verify(state, cursor));
    const link = linkTo(cursors.sign(state, page.next));
    return respond(200, page.entries.map(presentJudgedRequest), link);
  }),
  one: answer({}, async ({ path }) =>
    ok(presentJudgedRequest(await addBan(table, await findRequest(table, path.request_id)))),
  ),
});
