import { formatTable } from '../../../bench/measure/figures.ts';
import type { Report } from '../platform/open-function.ts';

/** What Lambda would write of each function, the slowest start first. */
export function formatReports(reports: readonly (readonly [string, Report])[]): string {
  const rows = reports
    .toSorted(([, { initMs: a = 0 }], [, { initMs: b = 0 }]) => b - a)
    .map(([name, report]) => [
      name,
      report.initMs?.toFixed(0) ?? '-',
      report.megabytes?.toFixed(0) ?? '-',
      nameAnswer(report),
    ]);
  const table = formatTable([['function', 'init ms', 'memory MB', 'answer'], ...rows]);
  return `${table}${rows.length} bundles in Lambda's runtime client\n`;
}

function nameAnswer(report: Report): string {
  if ('error' in report) return report.error.errorType;
  const { answer } = report;
  if (answer === null) return 'nothing';
  const { statusCode } = Object(answer);
  return statusCode === undefined ? Object.keys(Object(answer)).join(', ') : String(statusCode);
}
