import { parseArgs } from 'node:util';
import { runTool } from '#tools/run-tool.ts';
import { exitOnSignals } from '../measure/run-part.ts';
import { runParts } from './run-parts.ts';

const help = `Runs all benchmarks one after the other, in under ten minutes. npm run bench:check -- --from .bench
then compares their figures with the budget, and npm run bench:draw draws them.

  npm run -s bench -- [--to DIR] [--slurm]

  --to DIR        where the figures go, one JSON file for each part (default .bench)
  --slurm         also measure slurmrestd, which it installs and starts (Debian, root)
`;

exitOnSignals();
await runTool(async () => {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: '.bench' },
      slurm: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const failed = await runParts(values.to, values);
  return failed.length === 0 ? 0 : 1;
});
