import { ledgerLineToItem } from '#lib/quotas/ledger.ts';
import { countEnds } from '#lib/reports/count-ends.ts';
import type { EndedJob } from '#lib/reports/ended-job.ts';
import { readReport } from '#lib/reports/read-report.ts';
import type { Dimension } from '#lib/reports/report.ts';
import type { Table } from '#lib/table/table.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';
import { meter } from '#test/engines/meter.ts';
import { endedJobs } from '#test/fixtures/ended-jobs.ts';
import { createComparison } from '#tools/reports/compare-sums.ts';
import { scanUsage } from '#tools/reports/scan-usage.ts';
import { reportGrowth } from './measure/growth-of-units.ts';
import type { Part } from './measure/part.ts';
import { createProgressLine, writeItems } from './measure/seed-ended-jobs.ts';

const smallest = 1000;
const users = 100;
/** Ends counted in one call. Some are counted twice, as after a retry. */
const endsAtOnce = 1000;

const reports = {
  'by-user': ['user'],
  'by-project': ['project'],
  'by-month': ['system', 'month'],
} as const satisfies Readonly<Record<string, readonly Dimension[]>>;

type ReportName = keyof typeof reports;
const reportNames = ['by-user', 'by-project', 'by-month'] as const satisfies ReportName[];

export const part: Part = {
  about: `What reports consume of the table, in read units of the embedded table, after ${smallest} ended
jobs of ${users} users in a month and after many; and whether the sums that they are made of equal the
ledgers. The growth is the units after many divided by those after few.
`,
  options: { jobs: { usual: 100_000, about: 'how many jobs have ended in the large table' } },
  async measure({ count }) {
    const largest = count('jobs');
    const small = await measureWith(smallest);
    const large = await measureWith(largest);
    const costs = [small.costs, large.costs] as const;
    const figures = reportGrowth('reports', [smallest, largest], reportNames, costs);
    const differences = [...small.differences, ...large.differences];
    process.stdout.write(`${differences.length} sums differ from the ledgers\n`);
    return [...figures, { name: 'reports.differences', value: differences.length, unit: 'sums' }];
  },
};

async function measureWith(jobs: number) {
  const { table, close } = await openInProcessTable(`slipway-${jobs}`);
  const progress = createProgressLine(`${jobs.toLocaleString('en-US')} ended jobs`);
  for (let first = 1; first <= jobs; first += endsAtOnce) {
    const ends = endedJobs(Math.min(endsAtOnce, jobs - first + 1), users, first);
    await writeItems(table, ends.map(settle));
    await countEnds(table, [...ends, ...ends.slice(0, 100)]);
    progress.update((first + ends.length - 1) / jobs);
  }
  const { cost } = meter(table);
  const costs = {
    'by-user': await cost(() => read(table, 'by-user')),
    'by-project': await cost(() => read(table, 'by-project')),
    'by-month': await cost(() => read(table, 'by-month')),
  };
  const comparison = createComparison();
  for await (const { ends, sums } of scanUsage(table)) comparison.take(ends, sums);
  await close();
  return { costs, differences: comparison.listDifferences() };
}

async function read(table: Table, name: ReportName): Promise<void> {
  const period = { since: '2026-11-01', until: '2026-11-30' };
  const { entries: rows } = await readReport(table, { by: reports[name], period }, 1000);
  const expected = name === 'by-user' ? users : 1;
  if (rows.length !== expected) throw new Error(`The report ${name} has ${rows.length} rows.`);
}

/** Makes the ledger line that settles a job. */
function settle({ account, jobId, at, used, ...end }: EndedJob) {
  return ledgerLineToItem({
    ...account,
    kind: 'settle',
    seconds: 0,
    kilobytes: 0,
    used,
    end,
    at,
    by: 'slipway',
    reason: `SUCCESSFUL: ${used} of ${used} seconds used`,
    jobId,
  });
}
