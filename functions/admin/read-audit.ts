import { readAudit } from '#lib/audit/read-audit.ts';
import { PagingEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { acts, createCursors } from '#lib/http/parsers/cursors.ts';
import { auditQuery } from '#lib/http/parsers/list-queries.ts';
import { presentAct } from '#lib/http/presenters/present-administration.ts';
import { respond } from '#lib/http/respond.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { endpoints } from '../endpoints.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);
const cursors = createCursors(readEnvironment(PagingEnvironment).CURSOR_SECRET, acts);
const endpoint = endpoints['read-audit'];

export const handler = apiHandler(endpoints, endpoint, {
  list: answer(endpoint.paths.list, { query: auditQuery }, async ({ query, linkTo }) => {
    const { list, limit, cursor } = query;
    const page = await readAudit(table, list, limit, cursors.verify(list, cursor));
    return respond(200, page.acts.map(presentAct), linkTo(cursors.sign(list, page.next)));
  }),
});
