import type { UserId } from '#lib/catalog/identifiers.ts';
import type { TableForm } from '#lib/http/parsers/accept.ts';
import { listColumns, presentRow, writeCsv } from '#lib/http/presenters/present-report.ts';
import { type ApiResponse, okCsv, respond } from '#lib/http/respond.ts';
import type { Dimension, ReportRow } from '#lib/reports/report.ts';

export function answerReport(
  by: readonly Dimension[],
  rows: readonly ReportRow[],
  form: TableForm,
  headers: Readonly<Record<string, string>> = {},
  names?: ReadonlyMap<UserId, string>,
): ApiResponse {
  const presented = rows.map((row) => presentRow(by, row, names));
  return form === 'csv'
    ? okCsv('usage.csv', writeCsv(listColumns(by, names), presented), headers)
    : respond(200, presented, headers);
}
