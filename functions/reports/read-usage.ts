import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { acceptHeader } from '#lib/http/parsers/accept.ts';
import { ownReportQuery } from '#lib/http/parsers/queries/report-query.ts';
import { readUserReport } from '#lib/reports/read-report.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';
import { answerReport } from './answer-report.ts';

export const handler = apiHandler(endpoints, 'read-usage', {
  report: answer(
    { headers: acceptHeader, query: () => ownReportQuery(new Date()) },
    async ({ caller, headers, query }) => {
      const rows = await readUserReport(table, { ...query, user: caller.userId });
      return answerReport(query.by, rows, headers.form);
    },
  ),
});
