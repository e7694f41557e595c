import { readAudit } from '#lib/audit/read-audit.ts';
import { PagingEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { createCursors } from '#lib/http/paging/list-cursors.ts';
import { actPosition } from '#lib/http/paging/positions.ts';
import { auditQuery } from '#lib/http/parsers/queries/audit-query.ts';
import { presentAct } from '#lib/http/presenters/present-act.ts';
import { respond } from '#lib/http/respond.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const cursors = createCursors(readEnvironment(PagingEnvironment).CURSOR_SECRET, actPosition);
const route = routes['read-audit'];

export const handler = apiHandler(routes, route, {
  list: answer(route.paths.list, { query: auditQuery }, async ({ query, linkTo }) => {
    const { list, limit, cursor } = query;
    const { since, until, filter } = list;
    const marks = ['audit', since, until, filter.by, filter.user, filter.kind];
    const before = cursors.verify(marks, cursor);
    const { acts, next } = await readAudit(table, list, limit, before);
    return respond(200, acts.map(presentAct), linkTo(cursors.sign(marks, next)));
  }),
});
