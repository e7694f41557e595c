import * as v from 'valibot';
import { catalog } from '#lib/catalog/catalog.ts';
import { leaderHandler } from '#lib/http/chain/leader-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { pageQuery, projectName, systemName } from '#lib/http/parsers/fields.ts';
import { openCursors, requests } from '#lib/http/parsers/queries/cursors.ts';
import { presentJudgedRequest } from '#lib/http/presenters/present-request.ts';
import { ok, respond } from '#lib/http/respond.ts';
import { addBan, listRequests } from '#lib/requests/list-requests.ts';
import { requestStates } from '#lib/requests/quota-request.ts';
import { findRequest } from '#lib/requests/request-store.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const cursors = openCursors(requests);

const query = v.pipe(
  v.object({
    ...pageQuery.entries,
    state: v.optional(
      v.picklist(requestStates, `It must be one of: ${requestStates.join(', ')}.`),
      'open',
    ),
    hpc: v.optional(systemName(catalog)),
    project: v.optional(projectName),
  }),
  v.transform(({ limit, cursor, ...list }) => ({ limit, cursor, list })),
);

export const handler = leaderHandler(endpoints, 'read-all-requests', table, {
  list: answer({ query }, async ({ query: { list, limit, cursor }, linkTo }) => {
    const page = await listRequests(table, list, limit, cursors.verify(list, cursor));
    const link = linkTo(cursors.sign(list, page.next));
    return respond(200, page.entries.map(presentJudgedRequest), link);
  }),
  one: answer({}, async ({ path }) =>
    ok(presentJudgedRequest(await addBan(table, await findRequest(table, path.request_id)))),
  ),
});
