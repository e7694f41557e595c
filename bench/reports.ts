import { ledgerLineToItem } from '#lib/quotas/ledger.ts';
import { countEnds } from '#lib/reports/count-ends.ts';
import type { EndedJob } from '#lib/reports/ended-job.ts';
import { readReport } from '#lib/reports/read-report.ts';
import type { Dimension } from '#lib/reports/report.ts';
import type { Table } from '#lib/table/table.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';
import { type Cost, meter } from '#test/engines/meter.ts';
import { endedJobs } from '#test/fixtures/ended-jobs.ts';
import { createComparison } from '#tools/reports/compare-sums.ts';
import { scanUsage } from '#tools/reports/scan-usage.ts';
import { computeGrowth } from './capacity.ts';
import { type Figure, formatTable } from './measure/figures.ts';
import { type Part, readCount } from './measure/part.ts';
import { createProgressLine, writeItems } from './measure/seed-ended-jobs.ts';

const smallest = 1000;
const users = 100;
/** Ends counted in one call. Some are counted twice, as after a retry. */
const endsAtOnce = 1000;

const help = `What reports consume of the table, in read units of the embedded table, after ${smallest} ended
jobs of ${users} users in a month and after many; and whether the sums that they are made of equal the
ledgers. The growth is the units after many divided by those after few.

  npm run -s bench:reports -- [--jobs 100000] [--json FILE]

  --jobs          how many jobs have ended in the large table (default 100000)
`;

const reports = {
  'by-user': ['user'],
  'by-project': ['project'],
  'by-month': ['system', 'month'],
} as const satisfies Readonly<Record<string, readonly Dimension[]>>;

type ReportName = keyof typeof reports;
type Costs = Readonly<Record<ReportName, Cost>>;

interface Measured {
  readonly costs: Costs;
  readonly differences: readonly string[];
}

export const part: Part = {
  help,
  options: { jobs: { type: 'string' } },
  async measure(options) {
    const largest = readCount(options, 'jobs', 100_000);
    const small = await measureWith(smallest);
    const large = await measureWith(largest);
    process.stdout.write(describeUnits(largest, small.costs, large.costs));
    const differences = [...small.differences, ...large.differences];
    process.stdout.write(`${differences.length} sums differ from the ledgers\n`);
    return [
      ...listFigures(small.costs, large.costs),
      { name: 'reports.differences', value: differences.length, unit: 'sums' },
    ];
  },
};

async function measureWith(jobs: number): Promise<Measured> {
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
  const { rows } = await readReport(table, { by: reports[name], period }, 1000);
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

function describeUnits(largest: number, small: Costs, large: Costs): string {
  const size = (jobs: number) => `${jobs.toLocaleString('en-US')} jobs`;
  return formatTable([
    ['read units', size(smallest), size(largest), 'growth'],
    ...listNames().map((name) => [
      name,
      String(small[name].readUnits),
      String(large[name].readUnits),
      computeGrowth(small[name], large[name]).toFixed(2),
    ]),
  ]);
}

function listFigures(small: Costs, large: Costs): Figure[] {
  return listNames().flatMap((name) => [
    { name: `reports.${name}`, value: computeGrowth(small[name], large[name]) },
    { name: `reports.${name}.read-units`, value: large[name].readUnits, unit: 'read units' },
  ]);
}

function listNames(): ReportName[] {
  return ['by-user', 'by-project', 'by-month'];
}
