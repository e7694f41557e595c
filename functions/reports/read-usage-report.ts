import { catalog } from '#lib/catalog/catalog.ts';
import { leaderHandler } from '#lib/http/chain/leader-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { acceptHeader } from '#lib/http/parsers/accept.ts';
import { openCursors, reportRows } from '#lib/http/parsers/queries/cursors.ts';
import { reportQuery } from '#lib/http/parsers/queries/report-query.ts';
import { readReport } from '#lib/reports/read-report.ts';
import { readNames } from '#lib/users/read-names.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';
import { answerReport } from './answer-report.ts';

const cursors = openCursors(reportRows);

export const handler = leaderHandler(endpoints, 'read-usage-report', table, {
  report: answer(
    { headers: acceptHeader, query: () => reportQuery(catalog, new Date()) },
    async ({ headers, query: { report, limit, cursor, names }, linkTo }) => {
      const page = await readReport(table, report, limit, cursors.verify(report, cursor));
      const link = linkTo(cursors.sign(report, page.next));
      const users = page.entries.flatMap((row) => row.names.user ?? []);
      const found = names ? await readNames(table, users) : undefined;
      return answerReport(report.by, page.entries, headers.form, link, found);
    },
  ),
});
