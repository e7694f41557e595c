import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { routeNames } from '#functions/routes.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { buildBundles } from '#tools/bundles/build-bundles.ts';
import { deployedEnvironment } from './measure/deployed-environment.ts';
import { median, type Ratio, reportRatios } from './measure/figures.ts';
import type { Part } from './measure/part.ts';

export const part: Part = {
  about: `Measures the import time of each API function as a share of a bare client's.
`,
  measure: async () => reportRatios(await measureCold()),
};

/** The baseline for cold starts: an ES module that makes one call to the table. */
const source = `
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
const client = new DynamoDBClient({});
export const handler = () =>
  client.send(new GetItemCommand({ TableName: 'slipway', Key: { pk: { S: 'a' } } }));
`;

/** Bundles the DynamoDB client and one GetItem with esbuild's defaults. */
async function buildBaseline(directory: string): Promise<string> {
  const file = join(directory, 'baseline.mjs');
  await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    // The CommonJS parts of the SDK still load Node's modules by `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    outfile: file,
    logLevel: 'warning',
  });
  return file;
}

/** An ES module, like Lambda's runtime, that requires or imports a file. */
const program = `
import { createRequire } from 'node:module';
const [, , file] = process.argv;
const require = createRequire(import.meta.url);
const start = process.cpuUsage();
if (file.endsWith('.mjs')) await import(file);
else require(file);
const { user, system } = process.cpuUsage(start);
process.stdout.write(String((user + system) / 1000));
process.exit(0);
`;

/**
 * Times the import of a file in a fresh process with its own environment. Returns milliseconds of
 * processor time, which other work on the machine hardly affects. On an idle machine, wall-clock
 * time gives the same ratios to within 0.03.
 */
function openImportTimer(directory: string) {
  const timer = join(directory, 'time-import.mjs');
  writeFileSync(timer, program);
  return (file: string, environment: Readonly<Record<string, string>>) =>
    Number(execFileSync(process.execPath, [timer, file], { env: environment, encoding: 'utf8' }));
}

const rounds = 15;

/**
 * Measures the import time of each API function as a share of the baseline's. Every round times all
 * of them once, so that a slow phase of the machine affects all of them.
 */
async function measureCold(): Promise<Ratio[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'slipway-cold-'));
  const time = openImportTimer(folder.path);
  const baseline = await buildBaseline(folder.path);
  const bundles = await buildBundles(folder.path, catalog);
  const names: readonly string[] = [...routeNames, 'fallback'];
  const functions = bundles.filter(({ name }) => names.includes(name));
  const runs = Array.from({ length: rounds }, () => ({
    bare: time(baseline, deployedEnvironment('read-jobs')),
    own: functions.map(({ name, file }) => time(file, deployedEnvironment(name))),
  }));
  const bare = median(runs.map((run) => run.bare)).toFixed(1);
  return functions.map(({ name }, index) => {
    const times = runs.map(({ own }) => own[index] ?? Number.NaN);
    const ms = median(times).toFixed(1);
    return {
      name: `cold.${name}`,
      // The median of ratios, because a change of the machine's speed affects both times of a round.
      value: median(runs.map((run, round) => (times[round] ?? Number.NaN) / run.bare)),
      measured: `${ms} ms of processor time, baseline ${bare} ms`,
    };
  });
}
