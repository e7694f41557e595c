import { readAudit } from '#lib/audit/read-audit.ts';
import { isUserId } from '#lib/catalog/identifiers.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { acts, openCursors } from '#lib/http/parsers/queries/cursors.ts';
import { auditQuery } from '#lib/http/parsers/queries/list-queries.ts';
import { presentAct } from '#lib/http/presenters/present-administration.ts';
import { respond } from '#lib/http/respond.ts';
import { readNames } from '#lib/users/read-names.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const cursors = openCursors(acts);

export const handler = apiHandler(endpoints, 'read-audit', {
  list: answer({ query: auditQuery }, async ({ query, linkTo }) => {
    const { list, limit, cursor } = query;
    const { entries, next } = await readAudit(table, list, limit, cursors.verify(list, cursor));
    const users = entries.flatMap(({ by, subject }) => [by, subject.user ?? by].filter(isUserId));
    const names = query.names ? await readNames(table, users) : undefined;
    const shown = entries.map((act) => presentAct(act, names));
    return respond(200, shown, linkTo(cursors.sign(list, next)));
  }),
});
