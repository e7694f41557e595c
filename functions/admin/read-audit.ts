import { readAudit } from '#lib/audit/read-audit.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { acts, openCursors } from '#lib/http/parsers/cursors.ts';
import { auditQuery } from '#lib/http/parsers/list-queries.ts';
import { presentAct } from '#lib/http/presenters/present-administration.ts';
import { respond } from '#lib/http/respond.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const cursors = openCursors(acts);

export const handler = apiHandler(endpoints, 'read-audit', {
  list: answer({ query: auditQuery }, async ({ query, linkTo }) => {
    const { list, limit, cursor } = query;
    const page = await readAudit(table, list, limit, cursors.verify(list, cursor));
    return respond(200, page.entries.map(presentAct), linkTo(cursors.sign(list, page.next)));
  }),
});
