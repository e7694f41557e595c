import { readFileSync, writeFileSync } from 'node:fs';
import { putBetween } from '../put-between.ts';
import { flag, runTool, text } from '../run-tool.ts';
import { type Context, production } from '../stacks/make-app.ts';
import { computeCosts, usualUsage } from './compute-costs.ts';
import { countShipped } from './count-parts.ts';
import { writeCosts, writeIdle, writeParts } from './write-costs.ts';

const page = 'docs/costs.md';

const help = `Computes the cost of a month from measured units, times and the templates (docs/costs.md).

  npm run -s costs                     for 0, 1,000, 100,000 and 10 million jobs
  npm run -s costs -- --write          the same, into docs/costs.md
  npm run -s costs -- --stage dev      the same for a stage for development
  npm run -s costs -- --jobs 100000 [--looks 20] [--pages 1] [--quota-looks 1] [--minutes 30] [--months 12]

  --stage        prod, or dev (default prod)
  --jobs         jobs submitted in the month
  --looks        reads of a single job, per job (default 20)
  --pages        listed pages of 100 jobs, per job (default 1)
  --quota-looks  reads of one's own quotas, per job (default 1)
  --minutes      minutes from a job's hand-over to its end (default 30)
  --months       months of jobs kept in the table (default 12)
`;

const stages = { prod: production, dev: {} } as const satisfies Readonly<Record<string, Context>>;

const options = {
  stage: { type: 'string', default: 'prod' },
  jobs: text,
  looks: { type: 'string', default: String(usualUsage.looksPerJob) },
  pages: { type: 'string', default: String(usualUsage.pagesPerJob) },
  'quota-looks': { type: 'string', default: String(usualUsage.quotaLooksPerJob) },
  minutes: { type: 'string', default: String(usualUsage.minutesPerJob) },
  months: { type: 'string', default: String(usualUsage.monthsKept) },
  write: flag,
} as const;

await runTool(help, options, async (values) => {
  const { stage } = values;
  if (!isStage(stage)) throw new Error('--stage must be prod or dev.');
  const parts = countShipped(stages[stage]);
  if (values.jobs === undefined) {
    const text = `${writeCosts(parts)}\n\n${writeParts(parts, stage)}`;
    if (values.write) {
      if (stage !== 'prod') throw new Error(`${page} has the costs of prod.`);
      const idle = writeIdle(countShipped(stages.dev));
      writeFileSync(
        page,
        putBetween(readFileSync(page, 'utf8'), 'npm run costs', `${text} ${idle}`),
      );
    }
    process.stdout.write(`${text}\n`);
    return 0;
  }
  const usage = {
    jobs: readNumber('jobs', values.jobs),
    looksPerJob: readNumber('looks', values.looks),
    pagesPerJob: readNumber('pages', values.pages),
    quotaLooksPerJob: readNumber('quota-looks', values['quota-looks']),
    minutesPerJob: readNumber('minutes', values.minutes),
    monthsKept: readNumber('months', values.months),
  };
  const lines = computeCosts(usage, parts);
  for (const { what, amount, unit, dollars } of lines) {
    process.stdout.write(
      formatRow(
        `${what}, ${unit}`,
        amount.toLocaleString('en-US', { maximumFractionDigits: amount < 100 ? 2 : 0 }),
        dollars,
      ),
    );
  }
  const total = lines.reduce((sum, { dollars }) => sum + dollars, 0);
  process.stdout.write(formatRow('Total', '', total));
  if (usage.jobs > 0) {
    process.stdout.write(formatRow('per 1,000 jobs', '', (total / usage.jobs) * 1000));
  }
  return 0;
});

function isStage(stage: string): stage is keyof typeof stages {
  return stage in stages;
}

function readNumber(name: string, text: string): number {
  if (!/^[0-9]{1,12}(\.[0-9]+)?$/.test(text)) throw new Error(`--${name} must be a number.`);
  return Number(text);
}

function formatRow(what: string, amount: string, dollars: number): string {
  return `${what.padEnd(30)}${amount.padStart(18)}${dollars.toFixed(2).padStart(14)} USD\n`;
}
