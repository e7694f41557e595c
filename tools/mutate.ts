import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeMutant } from './mutation/describe-mutant.ts';
import { findTests, folders } from './mutation/folders.ts';
import { runStryker } from './mutation/run-stryker.ts';
import { scoreMutants } from './mutation/score.ts';
import { runTool } from './run-tool.ts';

const help = `Changes the code in small ways, and shows which changes no test notices (docs/testing.md).

  npm run test:mutation [-- [--changed] path ...]

  path       a folder or a file in ${[...folders.keys()].join(', ')} (default: each of these)
  --changed  only what has changed, or met other tests, since the last run
`;

/** What every folder must reach, in percent. */
const least = 95;

await runTool(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      changed: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const chosen = positionals.length > 0 ? positionals : [...folders.keys()];
  const scores = [];
  for (const path of chosen) scores.push(await mutate(path, values.changed));
  return scores.every((percent) => percent >= least) ? 0 : 1;
});

async function mutate(path: string, incremental: boolean): Promise<number> {
  const { killed, survivors, percent, leftOut } = scoreMutants(
    await runStryker({ path, testFiles: findTests(path), incremental }),
  );
  for (const mutant of survivors) {
    process.stdout.write(`${describeMutant(mutant, readFileSync(mutant.fileName, 'utf8'))}\n`);
  }
  const figures = `${killed} killed, ${survivors.length} survived, ${leftOut} left out`;
  process.stdout.write(`${path}: ${percent.toFixed(1)} percent (${figures})\n`);
  return percent;
}
