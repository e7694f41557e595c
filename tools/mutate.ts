import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeMutant } from './mutation/describe-mutant.ts';
import { folders } from './mutation/folders.ts';
import { runStryker } from './mutation/run-stryker.ts';
import { scoreMutants } from './mutation/score.ts';
import { runTool } from './run-tool.ts';

const help = `Changes the code in small ways and looks which changes no test notices (docs/testing.md).

  npm run test:mutation [-- [--changed] folder ...]

  folder     ${[...folders.keys()].join(', ')} (default: each of them)
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
  for (const folder of chosen) scores.push(await mutateFolder(folder, values.changed));
  return scores.every((percent) => percent >= least) ? 0 : 1;
});

async function mutateFolder(folder: string, incremental: boolean): Promise<number> {
  const integration = folders.get(folder);
  if (!integration) throw new Error(`No such folder: ${folder}. See npm run test:mutation -- -h`);
  const testFiles = [
    'test/unit/**/*.test.ts',
    'test/handlers/**/*.test.ts',
    ...integration.map((name) => `test/integration/${name}.test.ts`),
  ];
  const { killed, survivors, percent, leftOut } = scoreMutants(
    await runStryker({ folder, testFiles, incremental }),
  );
  for (const mutant of survivors) {
    process.stdout.write(`${describeMutant(mutant, readFileSync(mutant.fileName, 'utf8'))}\n`);
  }
  const figures = `${killed} killed, ${survivors.length} survived, ${leftOut} left out`;
  process.stdout.write(`${folder}: ${percent.toFixed(1)} percent (${figures})\n`);
  return percent;
}
