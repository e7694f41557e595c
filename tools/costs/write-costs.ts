import { computeCosts, usualUsage } from './compute-costs.ts';
import type { Parts } from './count-parts.ts';
import { prices } from './figures.ts';

const columns = [
  { title: 'nothing', jobs: 0 },
  { title: '1,000 jobs', jobs: 1_000 },
  { title: '100,000 jobs', jobs: 100_000 },
  { title: '10 million jobs', jobs: 10_000_000 },
];

/** The table of docs/costs.md. */
export function writeCosts(parts: Parts): string {
  const months = columns.map(({ jobs }) => computeCosts({ ...usualUsage, jobs }, parts));
  const names = months[0]?.map(({ what, unit }) => `${what}, ${unit}`) ?? [];
  const rows = names.map((name, index) =>
    writeRow([name, ...months.map((lines) => writeDollars(lines[index]?.dollars ?? 0))]),
  );
  const totals = months.map((lines) => lines.reduce((sum, { dollars }) => sum + dollars, 0));
  return [
    writeRow(['', ...columns.map(({ title }) => title)]),
    `|---|${'---:|'.repeat(columns.length)}`,
    ...rows,
    writeRow(['**total**', ...totals.map((dollars) => `**${writeDollars(dollars)}**`)]),
    writeFargate(),
  ].join('\n');
}

/**
 * Writes what the jobs themselves cost on AWS Batch, if all run there with one core and 2 GB. It is
 * not part of the total, because other systems do not bill the AWS account.
 */
function writeFargate(): string {
  const { coreHour, gbHour, addressHour } = prices.fargate;
  const { minutesPerJob } = usualUsage;
  const jobHour = coreHour + 2 * gbHour + addressHour;
  const cells = columns.map(({ jobs }) => writeDollars((jobs * minutesPerJob * jobHour) / 60));
  return writeRow(['Fargate, hours of jobs on AWS Batch (not in the total)', ...cells]);
}

/** Writes the counts as a sentence. */
export function writeParts({ alarms, alarmMetrics, ...parts }: Parts, stage = 'prod'): string {
  const { dashboards, keys, secrets, logGroups, scheduledRuns, customMetrics } = parts;
  return (
    `Counted in the templates of \`${stage}\` with the catalog that ships: ${alarms} alarms over ${alarmMetrics} metrics, ` +
    `${dashboards} dashboard, ${keys} keys, ${secrets} secrets, ${logGroups} log groups (they cost by what is written), ` +
    `${scheduledRuns.toLocaleString('en-US')} runs by the clock in a month; own metrics: ${customMetrics.always} always, ` +
    `${customMetrics.withJobs} with jobs.`
  );
}

/** Writes what a stage for development costs in a month in which nobody calls. */
export function writeIdle(parts: Parts): string {
  return `In \`dev\`, that first column is ${writeDollars(idleDollars(parts))} US dollars.`;
}

export function idleDollars(parts: Parts): number {
  const lines = computeCosts({ ...usualUsage, jobs: 0 }, parts);
  return lines.reduce((sum, { dollars }) => sum + dollars, 0);
}

function writeDollars(dollars: number): string {
  return dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

function writeRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`.replace('|  |', '| |');
}
