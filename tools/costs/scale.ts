import { computeCosts, usualUsage, writesPerJob } from './compute-costs.ts';
import type { Parts } from './count-parts.ts';

const steps = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

const heads = [
  'jobs a month',
  'submissions/s',
  'requests/s',
  'write units/s',
  'active jobs',
  'counter',
  'a shard of due',
  'project_jobs',
  'TB kept',
  'USD a month',
];

/** The table of docs/scale.md. */
export function writeScale(parts: Parts): string {
  const rows = [
    heads,
    heads.map(() => '---:'),
    ...steps.map((jobs) => Object.values(computeScale(jobs, parts)).map(write)),
  ];
  return rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Two significant digits, because the arithmetic is not more precise. */
function write(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 2 });
}

const secondsPerMonth = 30 * 86_400;
/** The busiest hour has five times the jobs of an average hour. */
const peak = 5;
/** The index `due` has four shards for the checks of one system. */
const lookShards = 4;
/** A changed index key costs a delete and a write. */
const unitsPerMove = 2;

/**
 * Computes the load of a month with this many jobs, in the order of the columns. Takes the worst
 * case: everything on one system and in one project.
 */
export function computeScale(jobs: number, parts: Parts) {
  const lines = computeCosts({ jobs, ...usualUsage }, parts);
  const amount = (what: string, unit: string) =>
    lines.find((line) => line.what === what && line.unit === unit)?.amount ?? Number.NaN;
  const busiest = (perMonth: number) => (perMonth / secondsPerMonth) * peak;
  const submissions = busiest(jobs);
  const living = submissions * usualUsage.minutesPerJob * 60;
  return {
    jobs,
    // Per second in the busiest hour.
    submissions,
    requests: busiest(amount('HTTP API', 'requests')),
    writeUnits: busiest(amount('DynamoDB', 'write units')),
    living,
    // Write units a second on shared partitions, which take 1,000 each.
    counter: submissions,
    // Each active job is checked once a minute and moves in the index each time.
    dueShard: ((living / 60) * unitsPerMove) / lookShards,
    projectIndex: submissions * writesPerJob,
    storedTerabytes: amount('DynamoDB', 'GB stored') / 1000,
    dollars: lines.reduce((sum, { dollars }) => sum + dollars, 0),
  };
}
