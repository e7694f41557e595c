import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { acceptHeader } from '#lib/http/parsers/accept.ts';
import { ownReportQuery } from '#lib/http/parsers/report-query.ts';
import { readUserReport } from '#lib/reports/read-report.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { endpoints } from '../endpoints.ts';
import { answerReport } from './answer-report.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);
const endpoint = endpoints['read-usage'];

export const handler = apiHandler(endpoints, endpoint, {
  report: answer(
    endpoint.paths.report,
    { headers: acceptHeader, query: () => ownReportQuery(new Date()) },
    async ({ caller, headers, query }) => {
      const rows = await readUserReport(table, { ...query, user: caller.userId });
      return answerReport(query.by, rows, headers.form);
    },
  ),
});
