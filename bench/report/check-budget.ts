import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { runTool } from '#tools/run-tool.ts';
import { readFigures } from '../measure/figures.ts';
import { formatTable } from '../measure/format-table.ts';
import { exitOnSignals } from '../measure/run-part.ts';
import { type Budget, compareWithBudget, isKept, type Verdict } from './compare-with-budget.ts';
import { runParts } from './run-parts.ts';

const help = `Runs all benchmarks, compares what they measured with bench/budget.json, and exits with
1 where a figure misses its budget or was not measured.

  npm run -s bench:check -- [--from DIR] [--slurm]

  --from DIR      do not measure: take the figures of an earlier run, one JSON file for each part
  --slurm         also compare with slurmrestd (Debian, root)
`;

const Limits = v.record(
  v.string(),
  v.strictObject({
    min: v.optional(v.number()),
    max: v.optional(v.number()),
    needs: v.optional(v.string()),
  }),
);

exitOnSignals();
await runTool(async () => {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      slurm: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const folder = values.from ?? '.bench';
  const failed = values.from === undefined ? await runParts(folder, values) : [];
  const verdicts = compareWithBudget(readFolder(folder), readBudget());
  process.stdout.write(describeVerdicts(verdicts));
  return isKept(verdicts) && failed.length === 0 ? 0 : 1;
});

function readBudget(): Budget {
  const file = join(import.meta.dirname, '../budget.json');
  return v.parse(Limits, JSON.parse(readFileSync(file, 'utf8')));
}

function readFolder(folder: string) {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}. First: npm run bench`);
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.flatMap((file) => readFigures(join(folder, file)));
}

function describeVerdicts(verdicts: readonly Verdict[]): string {
  return formatTable([
    ['', 'measured', 'budget', ''],
    ...verdicts.map(({ name, limit, value, outcome }) => [
      name,
      value === undefined ? '' : value.toFixed(value < 100 ? 2 : 0),
      limit.min === undefined ? `at most ${limit.max}` : `at least ${limit.min}`,
      outcome === 'left out' ? `left out: ${limit.needs}` : outcome,
    ]),
  ]);
}
